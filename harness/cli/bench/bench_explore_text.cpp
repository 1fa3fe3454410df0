// What bench explore measured, as a table: see bench_explore.h.
#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/bench/bench_explore.h"
#include "harness/cli/terminal/table.h"

namespace holdfast::cli {
namespace {

std::string found_text(const MutantCell& cell) {
  return cell.found ? fmt::format("{:>4} {:.3f}", cell.runs, cell.seconds) : "   –";
}

// "held in 6000 runs", or who accused it.
std::string correct_text(const ExploreBench& bench, std::size_t mutant) {
  std::uint64_t runs = 0;
  std::string accusers;
  for (std::size_t strategy = 0; strategy < bench.strategies.size(); ++strategy) {
    const MutantCell& cell = bench.cells[mutant][strategy];
    runs += cell.correct_runs;
    if (cell.accused_correct) {
      accusers += fmt::format(" {}: {}", bench.strategies[strategy]->name, cell.accusation);
    }
  }
  return accusers.empty() ? fmt::format("{} held in {} runs", bench.mutants[mutant]->correct, runs)
                          : fmt::format("{} ACCUSED by{}", bench.mutants[mutant]->correct, accusers);
}

std::string found_counts(const ExploreBench& bench) {
  std::string text = "found of " + std::to_string(bench.mutants.size()) + ":";
  for (std::size_t strategy = 0; strategy < bench.strategies.size(); ++strategy) {
    const auto found = std::ranges::count_if(
        bench.cells, [&](const std::vector<MutantCell>& row) { return row[strategy].found; });
    text += fmt::format(" {} {},", bench.strategies[strategy]->name, found);
  }
  std::size_t by_any = 0;
  for (std::size_t mutant = 0; mutant < bench.mutants.size(); ++mutant) {
    by_any += bench.found_by_any(mutant) ? 1 : 0;
  }
  return text + fmt::format(" any {}\n", by_any);
}

// "without their scopes, ...: swarm 20 (median run 31), ..., the matrix 30"
std::string stock_counts(const ExploreBench& bench) {
  std::string text = fmt::format("without their scopes, of {}:", bench.mutants.size());
  for (std::size_t strategy = 0; strategy < bench.strategies.size(); ++strategy) {
    std::vector<std::uint64_t> runs;
    for (const std::vector<MutantCell>& row : bench.cells) {
      if (row[strategy].run_in_stock) {
        runs.push_back(*row[strategy].run_in_stock);
      }
    }
    std::ranges::sort(runs);
    text += fmt::format(" {} {}{},", bench.strategies[strategy]->name, runs.size(),
                        runs.empty() ? "" : fmt::format(" (median: run {})", runs[runs.size() / 2]));
  }
  return text + fmt::format(" the matrix {}\n", std::ranges::count(bench.found_by_matrix, true));
}

}  // namespace

std::string bench_explore_text(const ExploreBench& bench, const Terminal& terminal) {
  std::vector<std::string> titles{"\nmutant"};
  for (const ExplorerEntry* const strategy : bench.strategies) {
    titles.push_back(fmt::format("{}\nruns s", strategy->name));
  }
  titles.emplace_back("\nthe correct lock in the same scope");
  Table table(std::move(titles));
  for (std::size_t mutant = 0; mutant < bench.mutants.size(); ++mutant) {
    std::vector<std::string> row{std::string(bench.mutants[mutant]->lock.id)};
    for (const MutantCell& cell : bench.cells[mutant]) {
      row.push_back(found_text(cell));
    }
    row.push_back(correct_text(bench, mutant));
    table.add_row(std::move(row));
  }
  return table.text(terminal) +
         fmt::format("\nat most {} runs of each strategy with each lock, {:.1f} s in all, on one core\n",
                     bench.most_runs, bench.seconds) +
         found_counts(bench) + stock_counts(bench) +
         fmt::format(
             "explore   {:8.0f} runs/s on one core (redis-px-cad, three clients, swarm, all families)\n"
             "pipeline  {:8.0f} runs/s\n"
             "ratio     {:8.2f}\n",
             bench.speed.explored_per_second, bench.speed.pipeline_per_second, bench.speed.ratio);
}

}  // namespace holdfast::cli
