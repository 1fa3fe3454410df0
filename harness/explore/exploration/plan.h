// What an exploration has to do: targets, and pieces of them by number.
//
// The list of pieces is the same on every machine, and a shard takes every Nth of it. First come the targets
// of strategies that learn, one piece each; then rounds of `runs_of_a_piece` runs of every other target, so
// that an exploration that ends early has looked at all of them. Pieces are named by number, not listed:
// there can be millions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/explore/exploration/exploration.h"

namespace holdfast {

inline constexpr std::uint64_t runs_of_a_piece = 500;

// What to explore. Where nothing is said, the strategy's usual number holds.
struct ExploreRequest {
  std::vector<const LockEntry*> locks;  // those that the scenario does not suit are left out
  std::string scenario = std::string(usual_scenario);
  std::vector<const ExplorerEntry*> explorers;
  std::optional<std::uint64_t> runs;  // of each target
  std::optional<double> seconds;      // of real time, instead
  std::uint64_t shard = 0;            // from 0
  std::uint64_t shards = 1;
  std::uint64_t seed = 1;
  std::optional<std::uint32_t> clients;  // of a family; other scenarios say it themselves
  std::optional<std::uint32_t> rounds;
  std::optional<std::uint32_t> most_faults;
  std::string shape;  // of a family, for all runs; empty: the strategies choose
};

struct PlannedTarget {
  PieceName name;  // `first` is 0, and `count` all runs there are to do
  ExploreTarget target;
  const ExplorerEntry* explorer = nullptr;
  RunCommands commands;
};

struct PlannedPiece {
  std::size_t target = 0;
  std::uint64_t place = 0;  // among the pieces of its target that this shard has, from 0
  PieceName name;
};

class ExplorePlan {
 public:
  // Throws BadInput or ScenarioError if there is no such scenario.
  ExplorePlan(const ExploreRequest& request, TargetShelf& shelf);

  const std::vector<PlannedTarget>& targets() const { return targets_; }
  // Of this shard.
  std::uint64_t piece_count() const;
  PlannedPiece piece(std::uint64_t number) const;
  bool has_piece_of(std::size_t target) const;
  // How long it goes on in real time, if that is what ends it.
  std::optional<double> seconds() const { return seconds_; }
  // How much of that a piece of a strategy that learns may take: `jobs` threads share it among all targets.
  double seconds_of_a_learner(std::size_t jobs) const;

 private:
  void add_target(const ExploreRequest& request, TargetShelf& shelf, const LockEntry& lock,
                  const ExplorerEntry& explorer);

  std::vector<PlannedTarget> targets_;
  std::vector<std::size_t> learning_;  // indices into targets_
  std::vector<std::size_t> steady_;    // the others
  std::uint64_t rounds_ = 0;           // how many pieces each target of steady_ has
  std::uint64_t shard_ = 0;            // from 0
  std::uint64_t shards_ = 1;
  std::uint64_t stride_ = 1;  // this shard has every stride-th piece of a steady target
  std::optional<double> seconds_;
};

}  // namespace holdfast
