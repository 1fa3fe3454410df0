// A cell of the matrix: one lock under one family of faults, tried at every step it can strike.
//
// First a run without the fault lists the steps; then one run per (entry of the sweep, step, seed). Up to
// the fault a run is the same as the first one, so the list is complete for single faults.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/run/simulation.h"

namespace holdfast {

struct Cell {
  Letter letter = Letter::not_applicable;
  std::uint64_t runs = 0;
  LetterCounts runs_by_letter{};  // indexed by Letter
  // The first run with the worst letter, and of those one that did harm if there is one.
  std::uint64_t worst_seed = 0;
  std::optional<Placement> worst_placement;
  bool is_harmed = false;
  Duration longest_wait{0};
  // Runs that broke nothing and could not have: they are no evidence. Only where there are no others is the
  // cell undecided for them.
  std::uint64_t inconclusive_runs = 0;
  std::vector<std::string_view> broken_claims;  // what the lock claims beside the letter, and did not keep
  Loss loss = Loss::none;                       // the worst
};

Cell sweep(Simulation& simulation, const Scenario& family, const LockEntry& lock, std::uint64_t first_seed);

}  // namespace holdfast
