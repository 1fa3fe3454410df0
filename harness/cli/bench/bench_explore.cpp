#include "harness/cli/bench/bench_explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "harness/cli/bench/bench.h"
#include "harness/cli/terminal/glob.h"
#include "harness/explore/exploration/exploration.h"
#include "harness/explore/zoo.h"
#include "harness/live/bench/statistics.h"
#include "harness/machine/stopwatch.h"
#include "harness/mutate/score/score.h"
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

// What the correct lock does, for each strategy that was asked for; found out once for all its mutants.
class CorrectLocks {
 public:
  CorrectLocks(Simulation& simulation, std::vector<Scenario> families, std::uint64_t runs)
      : simulation_(simulation), families_(std::move(families)), runs_(runs) {}

  const std::vector<Scenario>& families() const { return families_; }
  StockExploration exploration(const ExplorerEntry& explorer) const {
    return stock_exploration(families_, explorer, runs_);
  }
  const HonestLock& of(const MutantEntry& mutant, const ExplorerEntry& explorer) {
    const auto key = std::pair(mutant.correct, explorer.name);
    auto known = known_.find(key);
    if (known == known_.end()) {
      known = known_
                  .emplace(key, HonestLock(simulation_, *find_lock(mutant.correct), families_,
                                           exploration(explorer)))
                  .first;
    }
    return known->second;
  }

 private:
  Simulation& simulation_;
  std::vector<Scenario> families_;
  std::uint64_t runs_;
  std::map<std::pair<std::string_view, std::string_view>, HonestLock> known_;
};

// The score of `holdfast mutants`, for mutants that were made by hand.
void measure_in_stock(ExploreBench& bench, Simulation& simulation, const Shelf& shelf) {
  CorrectLocks correct(simulation, shelf.families(), bench.most_runs);
  for (std::size_t mutant = 0; mutant < bench.mutants.size(); ++mutant) {
    const MutantEntry& entry = *bench.mutants[mutant];
    std::uint64_t runs = 0;
    bench.found_by_matrix.push_back(hunt_in_matrix(simulation, entry.lock,
                                                   correct.of(entry, *bench.strategies.front()),
                                                   correct.families(), runs)
                                        .has_value());
    for (std::size_t strategy = 0; strategy < bench.strategies.size(); ++strategy) {
      const ExplorerEntry& explorer = *bench.strategies[strategy];
      const std::optional<ExplorationKill> kill = hunt_by_exploring(
          simulation, entry.lock, correct.of(entry, explorer), correct.exploration(explorer));
      bench.cells[mutant][strategy].run_in_stock = kill ? std::optional(kill->run + 1) : std::nullopt;
    }
  }
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
  measure_in_stock(bench, simulation, shelf);
  bench.seconds = watch.seconds();
  bench.speed = measure_speed(shelf, std::min(options.runs, most_runs_of_a_turn));
  return bench;
}

}  // namespace holdfast::cli
