#include "harness/cli/bench/bench_explore.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/bench/bench.h"
#include "harness/cli/terminal/glob.h"
#include "harness/explore/exploration/exploration.h"
#include "harness/explore/zoo.h"
#include "harness/live/bench/statistics.h"
#include "harness/machine/stopwatch.h"
#include "harness/text/bad_input.h"
#include "locks/lookup/lookup.h"

namespace holdfast::cli {
namespace {

// Turns of exploring and of plain runs are short and taken alternately, so that a busy machine slows both.
constexpr std::uint64_t speed_turns = 31;
constexpr std::uint64_t most_runs_of_a_turn = 1000;

std::vector<const ExplorerEntry*> every_explorer() {
  std::vector<const ExplorerEntry*> explorers;
  for (const ExplorerEntry& entry : all_explorers()) {
    explorers.push_back(&entry);
  }
  return explorers;
}

std::vector<const MutantEntry*> mutants_that_fit(const std::string& pattern) {
  std::vector<const MutantEntry*> chosen;
  for (const MutantEntry& mutant : all_mutants()) {
    if (fits_glob(mutant.lock.id, pattern)) {
      chosen.push_back(&mutant);
    }
  }
  if (chosen.empty()) {
    throw unknown_word("mutant", pattern, mutant_ids(), "holdfast list mutants");
  }
  return chosen;
}

MutantCell measure_cell(Simulation& simulation, const MutantEntry& mutant, const ExplorerEntry& explorer,
                        std::uint64_t runs) {
  MutantCell cell;
  const Stopwatch watch;
  const MutantSearch search = search_mutant(simulation, mutant, mutant.lock, explorer, runs);
  cell.seconds = watch.seconds();
  cell.runs = search.runs;
  cell.found = search.finding.has_value();
  const MutantSearch correct = search_mutant(simulation, mutant, *find_lock(mutant.correct), explorer, runs);
  cell.correct_runs = correct.runs;
  cell.accused_correct = correct.finding.has_value();
  if (correct.finding) {
    cell.accusation = fmt::format("{} in run {} by {}", to_text(correct.finding->letter),
                                  correct.finding->run, correct.finding->kinds());
  }
  return cell;
}

// What `holdfast explore --lock redis-px-cad` does, against the runs of `bench pipeline`.
ExploreSpeed measure_speed(const Shelf& shelf, std::uint64_t runs_of_a_turn) {
  PieceName name;
  name.lock = "redis-px-cad";
  name.scenario = "family-none";
  name.strategy = "swarm";
  name.clients = 3;
  name.rounds = 1;
  name.most_faults = 2;
  const ExploreTarget target = TargetShelf(shelf).target(name);
  Simulation simulation;
  std::vector<double> explored;
  std::vector<double> plain;
  std::vector<double> ratios;
  for (std::uint64_t turn = 0; turn < speed_turns; ++turn) {
    PieceRequest request;
    request.target = &target;
    request.explorer = find_explorer(name.strategy);
    request.first = turn * runs_of_a_turn;
    request.count = runs_of_a_turn;
    const Stopwatch watch;
    explore_piece(simulation, request);
    explored.push_back(static_cast<double>(runs_of_a_turn) / watch.seconds());
    plain.push_back(measure_pipeline(runs_of_a_turn, nullptr).runs_per_second);
    ratios.push_back(explored.back() / plain.back());
  }
  return {live::middle_of(explored), live::middle_of(plain), live::middle_of(ratios)};
}

}  // namespace

bool ExploreBench::found_by_any(std::size_t mutant) const {
  return std::ranges::any_of(cells[mutant], &MutantCell::found);
}

bool ExploreBench::is_well() const {
  for (std::size_t mutant = 0; mutant < mutants.size(); ++mutant) {
    if (!found_by_any(mutant) || std::ranges::any_of(cells[mutant], &MutantCell::accused_correct)) {
      return false;
    }
  }
  return true;
}

ExploreBench measure_explore(const BenchExploreOptions& options, const Shelf& shelf) {
  ExploreBench bench;
  bench.most_runs = options.runs;
  bench.strategies = options.strategies.empty() ? every_explorer() : explorers_called(options.strategies);
  bench.mutants = mutants_that_fit(options.mutants);
  const Stopwatch watch;
  Simulation simulation;
  {
    ProgressBar progress("cells", bench.mutants.size() * bench.strategies.size());
    std::size_t done = 0;
    for (const MutantEntry* const mutant : bench.mutants) {
      std::vector<MutantCell>& row = bench.cells.emplace_back();
      for (const ExplorerEntry* const strategy : bench.strategies) {
        row.push_back(measure_cell(simulation, *mutant, *strategy, options.runs));
        progress.advance_to(++done);
      }
    }
  }
  bench.seconds = watch.seconds();
  bench.speed = measure_speed(shelf, std::min(options.runs, most_runs_of_a_turn));
  return bench;
}

}  // namespace holdfast::cli
