// A cell of the matrix: one lock under one family of faults, tried at every step it can strike, in every
// shape that clients may work in.
//
// First a run without the fault lists the steps; then one run per (shape, entry of the sweep, step, seed). Up
// to the fault a run is the same as the first one, so the list is complete for single faults. Runs are spent
// where the letter can still get worse: a cell that did harm is done. A clock that nobody looks at is set
// once, not at every step. And where a waiter only asks again and again, shapes other than the plain one try
// the first and the last of it. `deep` leaves nothing out.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/run/simulation.h"

namespace holdfast {

// What was tried of a cell in one shape.
struct ShapeScope {
  std::string_view shape;         // its id
  std::uint64_t runs = 0;         // 0: the letter could not get worse any more
  std::uint64_t seeds = 0;        // that were tried to the end
  std::uint64_t placements = 0;   // of faults, with the first seed
  std::uint64_t repetitions = 0;  // placements left out, with the first seed: they can show nothing new
  std::uint64_t beyond = 0;       // steps after the last one that is tried of a process
};

struct Cell {
  Letter letter = Letter::not_applicable;
  std::uint64_t runs = 0;
  LetterCounts runs_by_letter{};  // indexed by Letter
  // The first run with the worst letter, and of those one that shows what the letter says if there is one.
  std::string_view worst_shape;
  std::uint64_t worst_seed = 0;
  std::optional<Placement> worst_placement;
  bool shows_its_letter = false;
  Duration longest_wait{0};
  std::vector<ShapeScope> shapes;  // that the lock and the family allow
  bool is_cut_short = false;       // there was more to try, but nothing worse to find
  // Runs that broke nothing and could not have: they are no evidence. Only where there are no others is the
  // cell undecided for them.
  std::uint64_t inconclusive_runs = 0;
  std::vector<std::string_view> broken_claims;  // what the lock claims beside the letter, and did not keep
  Loss loss = Loss::none;                       // the worst
};

enum class SweepDepth : std::uint8_t { usual, deep };

// `enough`: the cell is done as soon as its letter is worse than that; none: as its depth says.
Cell sweep(Simulation& simulation, const Scenario& family, const LockEntry& lock, std::uint64_t first_seed,
           SweepDepth depth = SweepDepth::usual, std::optional<Letter> enough = std::nullopt);

// The family as the worst run of the cell worked in it.
Scenario worst_scenario(const Scenario& family, const Cell& cell);

}  // namespace holdfast
