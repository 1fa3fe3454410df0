#include "harness/live/bench/cycles.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <numeric>
#include <optional>

namespace holdfast::live {
namespace {

using BenchClock = std::chrono::steady_clock;

// Alone, with servers that have nothing else to do.
constexpr Duration patience_with_one_cycle = 3s;

// One client's part.
struct ClientTally {
  std::uint64_t acquires = 0;
  std::vector<Duration> waits;
  std::optional<BenchClock::time_point> waiting_since;
  std::uint64_t failures = 0;
  std::string problem;

  template <typename Result>
  bool went_well(const char* what, const Result& result) {
    if (!result.ok() && failures++ == 0) {
      problem = fmt::format("{}: {}", what, result.why());
    }
    return result.ok();
  }
  void begin_waiting() { waiting_since = BenchClock::now(); }
  void end_waiting() {
    waits.push_back(BenchClock::now() - *waiting_since);
    waiting_since.reset();
  }
};

Task<> lock_cycle(BenchClient& client, ClientTally& tally) {
  tally.begin_waiting();
  const Acquired acquired = co_await client.lock->acquire(client.caller, {});
  tally.end_waiting();
  if (!tally.went_well("acquire", acquired)) {
    co_return;
  }
  ++tally.acquires;
  const Released released = co_await client.lock->release(client.caller, LockMode::exclusive);
  tally.went_well("release", released);
  // Frames of a design that calls itself: their work is not a cycle, nor is it a failure that they hold
  // nothing.
  while (client.lock->extra_work(client.caller) > 0) {
    co_await client.lock->acquire(client.caller, {});
    co_await client.lock->release(client.caller, LockMode::exclusive);
  }
}

Task<> latch_cycle(BenchClient& client, ClientTally& tally) {
  const Released set = co_await client.latch->set_count(client.caller, 1);
  if (set.outcome == Released::Outcome::unknown) {  // that another has set it is no failure
    tally.went_well("set count", set);
  }
  tally.went_well("count down", co_await client.latch->count_down(client.caller));
  tally.begin_waiting();
  const Acquired open = co_await client.latch->await_zero(client.caller, std::nullopt);
  tally.end_waiting();
  tally.acquires += tally.went_well("await", open) ? 1 : 0;
}

Task<> one_cycle(BenchClient& client, ClientTally& tally) {
  return client.latch != nullptr ? latch_cycle(client, tally) : lock_cycle(client, tally);
}

Task<> cycle_for_ever(BenchClient& client, ClientTally& tally) {
  while (true) {
    co_await one_cycle(client, tally);
  }
}

double own_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

CycleTally summed(const std::vector<ClientTally>& tallies, BenchClock::time_point end) {
  CycleTally sum;
  for (const ClientTally& tally : tallies) {
    sum.acquires.push_back(tally.acquires);
    sum.waits.insert(sum.waits.end(), tally.waits.begin(), tally.waits.end());
    if (tally.waiting_since) {
      sum.waits.push_back(end - *tally.waiting_since);
    }
    if (sum.problem.empty()) {
      sum.problem = tally.problem;
    }
    sum.failures += tally.failures;
  }
  return sum;
}

}  // namespace

std::uint64_t CycleTally::total() const {
  return std::accumulate(acquires.begin(), acquires.end(), std::uint64_t{0});
}

void CycleTally::add(const CycleTally& more) {
  acquires.resize(more.acquires.size());
  for (std::size_t client = 0; client < acquires.size(); ++client) {
    acquires[client] += more.acquires[client];
  }
  waits.insert(waits.end(), more.waits.begin(), more.waits.end());
  requests += more.requests;
  failures += more.failures;
  if (problem.empty()) {
    problem = more.problem;
  }
  seconds += more.seconds;
  cpu_seconds += more.cpu_seconds;
}

CycleTally run_cycles(BenchClients& clients, Duration lasts) {
  std::vector<ClientTally> tallies(clients.count());
  const std::uint64_t requests_before = clients.request_count();
  for (std::size_t number = 0; number < tallies.size(); ++number) {
    clients.spawn(cycle_for_ever(clients.client(number), tallies[number]));
  }
  const double cpu_before = own_cpu_seconds();
  const BenchClock::time_point start = BenchClock::now();
  clients.run(lasts);
  const BenchClock::time_point end = BenchClock::now();
  const double cpu_after = own_cpu_seconds();
  CycleTally tally = summed(tallies, end);
  tally.requests = clients.request_count() - requests_before;
  tally.seconds = std::chrono::duration<double>(end - start).count();
  tally.cpu_seconds = cpu_after - cpu_before;
  clients.stop();
  return tally;
}

std::string try_cycle(const LockEntry& lock, BenchServers& servers) {
  ClientTally tally;
  BenchClients clients({.lock = lock, .servers = servers, .is_heard = true});
  clients.spawn(one_cycle(clients.client(0), tally));
  const bool ended = clients.run(patience_with_one_cycle);
  clients.stop();
  return !tally.problem.empty() ? tally.problem : ended ? "" : "does not come to the end of one cycle";
}

}  // namespace holdfast::live
