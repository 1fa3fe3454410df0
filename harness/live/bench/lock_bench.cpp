#include "harness/live/bench/lock_bench.h"

#include <algorithm>
#include <utility>

#include "harness/live/bench/cycles.h"
#include "harness/stores/bench_servers.h"

namespace holdfast::live {
namespace {

constexpr int turns = 5;
// Of fewer, the start of what we compare with is a part that counts. A quick look may be less exact.
std::uint64_t fewest_requests(Duration lasts) {
  return std::min<std::uint64_t>(3000, 10 * static_cast<std::uint64_t>(to_milliseconds(lasts)));
}

class LockMeasurement {
 public:
  LockMeasurement(const LockEntry& lock, const LockBenchOptions& options)
      : lock_(lock),
        lasts_(options.lasts),
        servers_(
            store_called(lock.needs.store)
                .start_bench({.servers = lock.needs.servers, .replicas = lock.needs.replicas, .options = {}},
                             options.programs)),
        yardstick_(servers_->yardstick()) {}

  // Tries one cycle: says why not if that does not work.
  std::string prepare() {
    std::string problem = try_cycle(lock_, *servers_);
    if (yardstick_ != nullptr) {
      yardstick_->take_cycle(bench_key(1));
      times_ = yardstick_->times();
    }
    return problem;
  }

  LockBenchCell contended(std::size_t clients) {
    Measured measured;
    run_turn(clients, true, lasts_, measured);
    return cell_of(clients, true, measured);
  }

  LockBenchCell uncontended(std::size_t clients) {
    Measured measured;
    double best_rate = 0;
    std::vector<double> best_benchmark_rates(times_.size(), 0);
    for (int turn = 0; turn < turns; ++turn) {
      const CycleTally tally = run_turn(clients, false, lasts_ / turns, measured);
      best_rate = std::max(best_rate, static_cast<double>(tally.total()) / tally.seconds);
      if (why_no_ratio().empty()) {
        benchmark_turn(clients, tally, best_benchmark_rates);
      }
    }
    LockBenchCell cell = cell_of(clients, false, measured);
    if (why_no_ratio().empty()) {
      cell.best_cycles_per_second = best_rate;
      cell.benchmark_cycles_per_second = cycle_rate(best_benchmark_rates);
      cell.ratio = best_rate / *cell.benchmark_cycles_per_second;
    }
    return cell;
  }

  // Empty: there is a ratio.
  std::string why_no_ratio() const {
    return yardstick_ == nullptr ? "nothing comes with the server to compare with" : yardstick_->why_not();
  }
  std::string yardstick() const { return std::string(yardstick_ == nullptr ? "" : yardstick_->name()); }
  const BenchServers& servers() const { return *servers_; }

 private:
  struct Measured {
    CycleTally tally;
    ServerUsage usage;
  };

  CycleTally run_turn(std::size_t clients, bool contended, Duration lasts, Measured& measured) {
    servers_->flush();
    BenchClients population(
        {.lock = lock_, .clients = clients, .contended = contended, .servers = *servers_});
    const ServerUsage before = servers_->usage();
    CycleTally tally = run_cycles(population, lasts);
    const ServerUsage used = servers_->usage().since(before);
    measured.tally.add(tally);
    measured.usage.requests += used.requests;
    measured.usage.cpu_seconds += used.cpu_seconds;
    return tally;
  }

  void benchmark_turn(std::size_t clients, const CycleTally& ours, std::vector<double>& best_rates) {
    const double seconds_each = ours.seconds / static_cast<double>(times_.size());
    const double our_rate = static_cast<double>(ours.requests) / ours.seconds;
    const auto requests =
        std::max(fewest_requests(lasts_), static_cast<std::uint64_t>(our_rate * seconds_each));
    for (std::size_t request = 0; request < times_.size(); ++request) {
      servers_->flush();
      best_rates[request] = std::max(best_rates[request], yardstick_->rate(request, clients, requests));
    }
  }

  // The cycles a second that come of these rates of its requests: a cycle takes the time of all its round
  // trips.
  double cycle_rate(const std::vector<double>& rates) const {
    double cycle_seconds = 0;
    for (std::size_t request = 0; request < times_.size(); ++request) {
      cycle_seconds += static_cast<double>(times_[request]) / rates[request];
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
    cell.commands = per_cycle(measured.usage.requests);
    cell.round_trips = per_cycle(tally.requests);
    cell.client_cpu_us = per_cycle(tally.cpu_seconds * 1e6);
    cell.server_cpu_us = per_cycle(measured.usage.cpu_seconds * 1e6);
    cell.acquire = percentiles_of(std::move(tally.waits));
    return cell;
  }

  const LockEntry& lock_;
  Duration lasts_;
  std::unique_ptr<BenchServers> servers_;
  Yardstick* yardstick_;            // theirs; nullptr: they have none
  std::vector<std::size_t> times_;  // that each request of a cycle is sent in it
};

}  // namespace

LockBench measure_lock(const LockEntry& lock, const LockBenchOptions& options,
                       const std::function<void()>& on_cell) {
  LockMeasurement measurement(lock, options);
  LockBench bench;
  bench.lock = &lock;
  bench.server = measurement.servers().name();
  bench.reached_by = measurement.servers().reached_by();
  bench.yardstick = measurement.yardstick();
  bench.problem = measurement.prepare();
  if (bench.problem.empty()) {
    bench.no_ratio = measurement.why_no_ratio();
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
