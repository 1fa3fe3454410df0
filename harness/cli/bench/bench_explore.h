// holdfast bench explore: how many runs, and how long, each strategy takes to find each mutant, and how many
// runs a second are explored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/terminal/terminal.h"
#include "harness/explore/strategies/explorer.h"
#include "harness/scenario/shelf/shelf.h"
#include "locks/lookup/lookup.h"
#include "locks/mutants/catalog.h"

namespace holdfast::cli {

// The words of the command line.
struct BenchExploreOptions {
  std::vector<std::string> strategies;  // none: all
  std::string mutants = "*";            // a pattern
  std::uint64_t runs = 0;               // of each strategy with each lock, at most
};

// One strategy and one mutant.
struct MutantCell {
  std::uint64_t runs = 0;  // that it took
  double seconds = 0;
  bool found = false;
  std::uint64_t correct_runs = 0;  // of the correct lock
  bool accused_correct = false;
  std::string accusation;  // "V in run 12 by crash, delay"
  // Without the scope of the mutant, in the stock scenario with all faults: the run that was worse than
  // anything the correct lock comes to under the same faults.
  std::optional<std::uint64_t> run_in_stock;
};

// Medians of several turns.
struct ExploreSpeed {
  double explored_per_second = 0;
  double pipeline_per_second = 0;
  double ratio = 0;  // of the two in the same turn
};

struct ExploreBench {
  std::uint64_t most_runs = 0;
  double seconds = 0;
  std::vector<const ExplorerEntry*> strategies;
  std::vector<const MutantEntry*> mutants;
  std::vector<std::vector<MutantCell>> cells;  // by mutant, then by strategy
  std::vector<bool> found_by_matrix;           // by mutant; the stock matrix, too
  ExploreSpeed speed;

  bool found_by_any(std::size_t mutant) const;
  // Every mutant was found, and no correct lock accused.
  bool is_well() const;
};

// Throws BadInput.
ExploreBench measure_explore(const BenchExploreOptions& options, const Shelf& shelf);
std::string bench_explore_text(const ExploreBench& bench, const Terminal& terminal);

}  // namespace holdfast::cli
