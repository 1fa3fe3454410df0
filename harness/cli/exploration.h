// An exploration as the commands explore and merge see it: targets, pieces, and what is concluded from them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/cli/shelf.h"
#include "harness/cli/terminal.h"
#include "harness/explore/campaign.h"
#include "harness/explore/piece_file.h"
#include "harness/explore/shrink.h"

namespace holdfast::cli {

// All pieces of one lock, scenario and strategy.
struct ExploredTarget {
  PieceName name;  // of the first of them
  PieceResult result;
  struct Shrunk {
    ExploreFinding finding;
    ShrunkFinding shrunk;
    std::string command;  // that tells it again; no files were asked for: empty
  };
  std::vector<Shrunk> shrunk;
};

// The target that a piece is of. Throws BadInput or ScenarioError if its lock or scenario is gone.
ExploreTarget target_of(const PieceName& name, const Shelf& shelf);

// Pieces of the same target put together, in the order of their runs.
std::vector<ExploredTarget> put_together(std::vector<StoredPiece> pieces);

// Shrinks the first finding of each letter of each target, and writes it to DIRECTORY/findings (none: "").
void shrink_findings(std::vector<ExploredTarget>& targets, const Shelf& shelf, const std::string& directory,
                     std::size_t jobs);

// What was run just now, not taken from files.
struct ExplorationPace {
  std::uint64_t runs = 0;
  double seconds = 0;
};

// What was found, for a person and for programs.
std::string exploration_text(const std::vector<ExploredTarget>& targets, const ExplorationPace& pace,
                             const Terminal& terminal);
std::string exploration_json(const std::vector<ExploredTarget>& targets);

}  // namespace holdfast::cli
