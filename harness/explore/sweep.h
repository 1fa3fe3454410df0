// A cell of the matrix: one lock under one family of faults, tried at every step it can strike.
//
// First a run without the fault lists the steps; then one run per (entry of the sweep, step, seed). Up to
// the fault a run is the same as the first one, so the list is complete for single faults.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "harness/run/simulation.h"

namespace holdfast {

struct Cell {
  Letter letter = Letter::not_applicable;
  std::uint64_t runs = 0;
  std::array<std::uint64_t, 7> runs_by_letter{};  // indexed by Letter
  // The first run with the worst letter, and of those one that shows what the letter says if there is one.
  std::uint64_t worst_seed = 0;
  std::optional<Placement> worst_placement;
  bool shows_its_letter = false;
  Duration longest_wait{0};
};

Cell sweep(Simulation& simulation, const Scenario& family, const LockEntry& lock, std::uint64_t first_seed);

}  // namespace holdfast
