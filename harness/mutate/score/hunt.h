// Whether a mutant is found: by the stock matrix, and if not, by exploration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/mutate/score/honest_lock.h"

namespace holdfast {

// A cell of the matrix in which the mutant comes to a worse letter than the lock itself. That nothing could
// be decided any more counts, too: who reads the matrix sees that it is no longer what it was.
struct MatrixKill {
  std::size_t family = 0;
  Letter letter = Letter::not_applicable;  // the lock's own is HonestLock's
  std::string_view shape;                  // in which the clients worked
  std::uint64_t seed = 1;
  std::optional<Placement> placement;
  std::string broke_off;  // why the lock did not even come to an end; empty: it did
};

// The first such cell, in the order of the families. `runs` counts all that were made.
std::optional<MatrixKill> hunt_in_matrix(Simulation& simulation, const LockEntry& mutant,
                                         const HonestLock& honest, const std::vector<Scenario>& families,
                                         std::uint64_t& runs);

// A run that is worse than anything the lock itself comes to under the same kinds of faults; one that was not
// decided is none.
struct ExplorationKill {
  std::uint64_t run = 0;
  Letter letter = Letter::not_applicable;
  std::string kinds;  // "crash, gc-pause"
};

std::optional<ExplorationKill> hunt_by_exploring(Simulation& simulation, const LockEntry& mutant,
                                                 const HonestLock& honest,
                                                 const StockExploration& exploration);

}  // namespace holdfast
