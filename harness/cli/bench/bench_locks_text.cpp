// The report of `holdfast bench locks`: a table, what its columns mean, what could not be measured, and how
// far from the servers' own yardstick the clients stay. Or the same as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/cli/bench/bench_locks.h"
#include "harness/cli/terminal/table.h"

namespace holdfast::cli {
namespace {

using live::LockBench;
using live::LockBenchCell;

constexpr double ratio_aim = 0.7;

// Three digits that matter: "9.87 us" is no better than "9.9 us", and columns stay narrow.
std::string time_text(Duration time) {
  const double microseconds = std::chrono::duration<double, std::micro>(time).count();
  return microseconds < 1000      ? fmt::format("{:.0f} us", microseconds)
         : microseconds < 100'000 ? fmt::format("{:.1f} ms", microseconds / 1e3)
                                  : fmt::format("{:.0f} ms", microseconds / 1e3);
}

std::string per_cycle_text(const LockBenchCell& cell, double value, int digits) {
  return cell.cycles == 0 ? "–" : fmt::format("{:.{}f}", value, digits);
}

std::vector<std::string> row_of(const LockBenchCell& cell) {
  return {fmt::format("{}", cell.clients),
          cell.contended ? "one" : "own",
          fmt::format("{:.0f}", cell.cycles_per_second),
          time_text(cell.acquire.p50),
          time_text(cell.acquire.p95),
          time_text(cell.acquire.p99),
          time_text(cell.acquire.max),
          per_cycle_text(cell, cell.commands, 1),
          per_cycle_text(cell, cell.round_trips, 1),
          fmt::format("{:.2f}", cell.jain),
          fmt::format("{}/{}", cell.most_cycles, cell.least_cycles),
          per_cycle_text(cell, cell.client_cpu_us, 0),
          per_cycle_text(cell, cell.server_cpu_us, 0),
          cell.ratio ? fmt::format("{:.2f}", *cell.ratio) : ""};
}

// "redis-benchmark", of all stores that were measured.
std::string yardsticks_of(const std::vector<LockBench>& benches) {
  std::string names;
  for (const LockBench& bench : benches) {
    if (names.find(bench.yardstick) == std::string::npos) {
      names += (names.empty() ? "" : ", ") + bench.yardstick;
    }
  }
  return names.empty() ? "a yardstick" : names;
}

// In two lines, if it has a place for that.
std::string as_title(std::string name) {
  if (const std::size_t dash = name.find('-'); dash != std::string::npos) {
    name.insert(dash + 1, "\n");
  }
  return name;
}

std::string cells_table(const std::vector<LockBench>& benches, const Terminal& terminal) {
  Table table({"clients", "key", "cycles/s", "acquire\np50", "\np95", "\np99", "\nmax", "commands\n/cycle",
               "trips\n/cycle", "fair", "most\n/least", "CPU us/cycle\nclients", "\nservers",
               "of " + as_title(yardsticks_of(benches))});
  for (const LockBench& bench : benches) {
    table.add_heading(bench.lock->id);
    if (!bench.problem.empty()) {
      table.add_heading("  not measured: " + bench.problem);
    }
    for (const LockBenchCell& cell : bench.cells) {
      table.add_row(row_of(cell));
    }
  }
  return table.text(terminal);
}

std::string legend(const std::vector<LockBench>& benches, const live::LockBenchOptions& options) {
  return fmt::format(
      "\n{0}, over {1}, {2} ms a row. A cycle is acquire and release, one after the other\n"
      "without a pause; all clients are in one thread of one process. key: each client on its own, or\n"
      "all on one. acquire: from call to return; who still waits at the end counts with the time so\n"
      "far. commands: by the servers, inside scripts too, those of waiters included. fair: Jain's index\n"
      "over the clients' cycles, 1 is even; most/least cycles of one client. of {3}: our\n"
      "cycles/s to what {3} reaches with the same connections and round trips (its\n"
      "releases find nothing to release, so they cost the server less); both take turns on the same\n"
      "server, and the best turns count. A semaphore has 2 permits, a read-write lock is taken to\n"
      "write, a latch is set to 1, counted down and awaited.\n",
      benches.front().server, benches.front().reached_by, options.lasts / 1ms, yardsticks_of(benches));
}

std::string remarks(const std::vector<LockBench>& benches) {
  std::string text;
  for (const LockBench& bench : benches) {
    if (!bench.no_ratio.empty()) {
      text += fmt::format("{}: no ratio, {}.\n", bench.lock->id, bench.no_ratio);
    }
    for (const LockBenchCell& cell : bench.cells) {
      if (cell.failures > 0) {
        text += fmt::format("{}, {} clients, {} key: {} calls failed, the first: {}\n", bench.lock->id,
                            cell.clients, cell.contended ? "one" : "own", cell.failures, cell.problem);
      }
    }
  }
  return text.empty() ? text : "\n" + text;
}

std::vector<double> ratios_at(const std::vector<LockBench>& benches, std::size_t clients) {
  std::vector<double> ratios;
  for (const LockBench& bench : benches) {
    for (const LockBenchCell& cell : bench.cells) {
      if (cell.clients == clients && cell.ratio) {
        ratios.push_back(*cell.ratio);
      }
    }
  }
  return ratios;
}

std::string ratios_summary(const std::vector<LockBench>& benches, const live::LockBenchOptions& options,
                           const Terminal& terminal) {
  Table table({"clients", "least", "middle", "most", fmt::format("above {}", ratio_aim)});
  bool any = false;
  for (const std::size_t clients : options.clients) {
    const std::vector<double> ratios = ratios_at(benches, clients);
    if (ratios.empty()) {
      continue;
    }
    any = true;
    const auto above =
        std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return ratio > ratio_aim; });
    table.add_row({fmt::format("{}", clients),
                   fmt::format("{:.2f}", *std::min_element(ratios.begin(), ratios.end())),
                   fmt::format("{:.2f}", live::middle_of(ratios)),
                   fmt::format("{:.2f}", *std::max_element(ratios.begin(), ratios.end())),
                   fmt::format("{} of {} locks", above, ratios.size())});
  }
  return any ? fmt::format("\nCycles/s on own keys, relative to {}\n", yardsticks_of(benches)) +
                   table.text(terminal)
             : "";
}

nlohmann::ordered_json cell_json(const LockBenchCell& cell) {
  const auto microseconds = [](Duration time) {
    return std::chrono::duration<double, std::micro>(time).count();
  };
  nlohmann::ordered_json json{{"clients", cell.clients},
                              {"contended", cell.contended},
                              {"cycles", cell.cycles},
                              {"cycles_per_second", cell.cycles_per_second},
                              {"acquire_us",
                               {{"p50", microseconds(cell.acquire.p50)},
                                {"p95", microseconds(cell.acquire.p95)},
                                {"p99", microseconds(cell.acquire.p99)},
                                {"max", microseconds(cell.acquire.max)}}},
                              {"commands_per_cycle", cell.commands},
                              {"round_trips_per_cycle", cell.round_trips},
                              {"client_cpu_us_per_cycle", cell.client_cpu_us},
                              {"server_cpu_us_per_cycle", cell.server_cpu_us},
                              {"jain", cell.jain},
                              {"most_cycles", cell.most_cycles},
                              {"least_cycles", cell.least_cycles},
                              {"failures", cell.failures}};
  if (cell.failures > 0) {
    json["problem"] = cell.problem;
  }
  if (cell.ratio) {
    json["best_cycles_per_second"] = *cell.best_cycles_per_second;
    json["benchmark_cycles_per_second"] = *cell.benchmark_cycles_per_second;
    json["ratio"] = *cell.ratio;
  }
  return json;
}

}  // namespace

std::string bench_locks_text(const std::vector<LockBench>& benches, const live::LockBenchOptions& options,
                             const Terminal& terminal) {
  return cells_table(benches, terminal) + legend(benches, options) + remarks(benches) +
         ratios_summary(benches, options, terminal);
}

std::string bench_locks_json(const std::vector<LockBench>& benches, const live::LockBenchOptions& options) {
  nlohmann::ordered_json json{{"server", benches.front().server}, {"milliseconds", options.lasts / 1ms}};
  for (const LockBench& bench : benches) {
    nlohmann::ordered_json lock{{"lock", bench.lock->id}};
    if (!bench.problem.empty()) {
      lock["not_measured"] = bench.problem;
    }
    if (!bench.no_ratio.empty()) {
      lock["no_ratio"] = bench.no_ratio;
    }
    lock["cells"] = nlohmann::ordered_json::array();
    for (const LockBenchCell& cell : bench.cells) {
      lock["cells"].push_back(cell_json(cell));
    }
    json["locks"].push_back(lock);
  }
  return json.dump(2) + "\n";
}

}  // namespace holdfast::cli
