// Makes the pieces of a plan on several threads, or takes them from files where an exploration that was
// interrupted left them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/explore/exploration/plan.h"

namespace holdfast {

struct ExploredPieces {
  std::vector<ExploredTarget> targets;  // that this shard has a piece of
  std::uint64_t fresh_runs = 0;         // that were not there already
};

// Pieces are kept in DIRECTORY/pieces (none: ""). `on_done` is told how many are done. Throws BadInput if
// what is there is of another exploration.
ExploredPieces run_pieces(const ExplorePlan& plan, const std::string& directory, std::size_t jobs,
                          const std::function<void(std::size_t done)>& on_done);

// DIRECTORY/pieces/LOCK--STRATEGY--FIRST.json
std::string piece_path(const std::string& directory, const PieceName& name);
// Throws BadInput, or std::runtime_error with one sentence if the file is no piece.
StoredPiece read_piece_file(const std::string& path);

}  // namespace holdfast
