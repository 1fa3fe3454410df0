#include "harness/live/bench/lock_bench.h"

#include <algorithm>
#include <utility>

#include "harness/live/bench/bench_servers.h"
#include "harness/live/bench/cycles.h"
#include "harness/live/bench/redis_benchmark.h"

namespace holdfast::live {
namespace {

constexpr int turns = 5;
// Of fewer, redis-benchmark's start is a part that counts. A quick look may be less exact.
std::uint64_t fewest_requests(Duration lasts) {
  return std::min<std::uint64_t>(3000, 10 * static_cast<std::uint64_t>(to_milliseconds(lasts)));
}

class LockMeasurement {
 public:
  LockMeasurement(const LockEntry& lock, const LockBenchOptions& options)
      : lock_(lock),
        lasts_(options.lasts),
        servers_(lock.needs, program_for(options.programs, "redis", "redis-server")),
        endpoints_(servers_.endpoints()) {}

  // Tries one cycle: says why not if that does not work.
  std::string prepare() {
    const OneCycle cycle = record_cycle(lock_, endpoints_);
    commands_ = benchmark_commands(cycle.commands, bench_key(1));
    return cycle.problem;
  }

  LockBenchCell contended(std::size_t clients) {
    Measured measured;
    run_turn(clients, true, lasts_, measured);
    return cell_of(clients, true, measured);
  }

  LockBenchCell uncontended(std::size_t clients) {
    Measured measured;
    double best_rate = 0;
    std::vector<double> best_benchmark_rates(commands_.size(), 0);
    for (int turn = 0; turn < turns; ++turn) {
      const CycleTally tally = run_turn(clients, false, lasts_ / turns, measured);
      best_rate = std::max(best_rate, static_cast<double>(tally.total()) / tally.seconds);
      if (has_benchmark()) {
        benchmark_turn(clients, tally, best_benchmark_rates);
      }
    }
    LockBenchCell cell = cell_of(clients, false, measured);
    if (has_benchmark()) {
      cell.best_cycles_per_second = best_rate;
      cell.benchmark_cycles_per_second = cycle_rate(best_benchmark_rates);
      cell.ratio = best_rate / *cell.benchmark_cycles_per_second;
    }
    return cell;
  }

  bool has_benchmark() const { return can_be_benchmarked(commands_); }
  const std::string& vendor_and_release() const { return servers_.vendor_and_release(); }

 private:
  struct Measured {
    CycleTally tally;
    ServerUsage usage;
  };

  CycleTally run_turn(std::size_t clients, bool contended, Duration lasts, Measured& measured) {
    servers_.flush();
    BenchClients population(
        {.lock = lock_, .clients = clients, .contended = contended, .servers = endpoints_});
    const ServerUsage before = servers_.usage();
    CycleTally tally = run_cycles(population, lasts);
    const ServerUsage used = servers_.usage().since(before);
    measured.tally.add(tally);
    measured.usage.commands += used.commands;
    measured.usage.cpu_seconds += used.cpu_seconds;
    return tally;
  }

  void benchmark_turn(std::size_t clients, const CycleTally& ours, std::vector<double>& best_rates) {
    const double seconds_each = ours.seconds / static_cast<double>(commands_.size());
    const double our_rate = static_cast<double>(ours.requests) / ours.seconds;
    const auto requests =
        std::max(fewest_requests(lasts_), static_cast<std::uint64_t>(our_rate * seconds_each));
    for (std::size_t command = 0; command < commands_.size(); ++command) {
      servers_.flush();
      const double rate = redis_benchmark_rate(
          {endpoints_.front(), clients, requests, output_directory_.path()}, commands_[command].command);
      best_rates[command] = std::max(best_rates[command], rate);
    }
  }

  // The cycles a second that come of these rates of its commands: a cycle takes the time of all its round
  // trips.
  double cycle_rate(const std::vector<double>& rates) const {
    double cycle_seconds = 0;
    for (std::size_t command = 0; command < commands_.size(); ++command) {
      cycle_seconds += static_cast<double>(commands_[command].times) / rates[command];
    }
    return 1 / cycle_seconds;
  }

  static LockBenchCell cell_of(std::size_t clients, bool contended, Measured& measured) {
    CycleTally& tally = measured.tally;
    LockBenchCell cell;
    cell.clients = clients;
    cell.contended = contended;
    cell.cycles = tally.total();
    cell.cycles_per_second = static_cast<double>(cell.cycles) / tally.seconds;
    cell.jain = jain_index(tally.acquires);
    cell.most_cycles = *std::max_element(tally.acquires.begin(), tally.acquires.end());
    cell.least_cycles = *std::min_element(tally.acquires.begin(), tally.acquires.end());
    cell.failures = tally.failures;
    cell.problem = std::move(tally.problem);
    const auto per_cycle = [&](auto amount) {
      return cell.cycles == 0 ? 0 : static_cast<double>(amount) / static_cast<double>(cell.cycles);
    };
    cell.commands = per_cycle(measured.usage.commands);
    cell.round_trips = per_cycle(tally.requests);
    cell.client_cpu_us = per_cycle(tally.cpu_seconds * 1e6);
    cell.server_cpu_us = per_cycle(measured.usage.cpu_seconds * 1e6);
    cell.acquire = percentiles_of(std::move(tally.waits));
    return cell;
  }

  const LockEntry& lock_;
  Duration lasts_;
  BenchServers servers_;
  std::vector<Endpoint> endpoints_;
  std::vector<CycleCommand> commands_;
  TemporaryDirectory output_directory_;
};

}  // namespace

LockBench measure_lock(const LockEntry& lock, const LockBenchOptions& options,
                       const std::function<void()>& on_cell) {
  LockMeasurement measurement(lock, options);
  LockBench bench;
  bench.lock = &lock;
  bench.server = measurement.vendor_and_release();
  bench.problem = measurement.prepare();
  if (bench.problem.empty() && !measurement.has_benchmark()) {
    bench.no_benchmark =
        "redis-benchmark cannot do its WAIT, which returns at once to who has written nothing";
  }
  for (const std::size_t clients : options.clients) {
    for (const bool contended : {false, true}) {
      if (bench.problem.empty()) {
        bench.cells.push_back(contended ? measurement.contended(clients) : measurement.uncontended(clients));
      }
      on_cell();
    }
  }
  return bench;
}

}  // namespace holdfast::live
