// A piece of a campaign as a file, so that an exploration can be interrupted, resumed and put together from
// several machines.
//
// It ends with a checksum of all that is in front of it: a piece that was cut short, edited or damaged is
// refused, not believed. So is one of an older holdfast, which has none: to explore it again takes seconds.
#pragma once

#include <string>

#include "harness/explore/campaign.h"
#include "harness/scenario/file/load_names.h"

namespace holdfast {

// What a piece is of. Pieces of the same target agree in all but `first` and `count`.
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
  std::string shape;          // of a family: of all runs; empty: those that the strategy chooses
  std::uint64_t content = 0;  // a hash of what is behind these names: see content_hash()

  friend bool operator==(const PieceName&, const PieceName&) = default;
};

bool is_same_target(const PieceName& one, const PieceName& other);

// Of the scenario in its shapes, the menu of faults and the version of holdfast: the same names may mean
// another run tomorrow.
std::uint64_t content_hash(const ExploreTarget& target);

struct StoredPiece {
  PieceName name;
  PieceResult result;

  // False if time was up before it was done.
  bool is_whole() const { return result.has_every_run || result.runs == name.count; }
};

std::string to_json_text(const StoredPiece& piece);
// The JSON object with the checksum that it should have.
std::string with_checksum(const std::string& text);
// `file` is what sentences call it. Throws std::runtime_error with one sentence.
StoredPiece piece_from(const std::string& text, const std::string& file);

}  // namespace holdfast
