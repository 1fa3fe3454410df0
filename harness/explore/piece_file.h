// A piece of a campaign as a file, so that an exploration can be interrupted, resumed and put together from
// several machines.
#pragma once

#include <string>

#include "harness/explore/campaign.h"
#include "harness/scenario/load_names.h"

namespace holdfast {

// What a piece is of. Pieces of the same campaign agree in all but `number`.
struct PieceName {
  std::string lock;
  std::string scenario;
  std::string strategy;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint32_t clients = 0;
  std::uint32_t rounds = 0;
  std::uint32_t most_faults = 0;

  friend bool operator==(const PieceName&, const PieceName&) = default;
};

struct StoredPiece {
  PieceName name;
  PieceResult result;
};

std::string to_json_text(const StoredPiece& piece);
// `file` is what sentences call it. Throws std::runtime_error with one sentence.
StoredPiece piece_from(const std::string& text, const std::string& file);

}  // namespace holdfast
