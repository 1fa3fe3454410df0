// How fast a lock is on the real server: for a number of clients, on one key or on a key each.
//
// Without contention the clients and the servers' yardstick take turns on the same server, several times, and
// the best turns of both are compared: what else the machine does can only slow them down.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/live/bench/statistics.h"
#include "harness/machine/program/server_program.h"
#include "locks/catalog.h"

namespace holdfast::live {

struct LockBenchOptions {
  std::vector<std::size_t> clients{1, 2, 4, 8, 16, 32};
  Duration lasts = 300ms;  // of one cell; the yardstick takes about as long again
  ServerPrograms programs;
};

// One lock, one number of clients, on one key or not.
struct LockBenchCell {
  std::size_t clients = 1;
  bool contended = false;
  std::uint64_t cycles = 0;
  double cycles_per_second = 0;
  Percentiles acquire;
  // Per cycle, also for what waiters do; nothing if there was none.
  double commands = 0;             // carried out by the servers, inside scripts too
  double round_trips = 0;          // requests and replies
  double client_cpu_us = 0;        // of this process, all clients
  double server_cpu_us = 0;        // of all servers
  double jain = 1;                 // of the clients' cycles
  std::uint64_t most_cycles = 0;   // of one client
  std::uint64_t least_cycles = 0;  // of one client
  std::uint64_t failures = 0;
  std::string problem;  // what the first failure said
  // Uncontended only, of the best turns: the cycles a second that the yardstick's round trips come to, and
  // ours relative to that.
  std::optional<double> best_cycles_per_second;
  std::optional<double> benchmark_cycles_per_second;
  std::optional<double> ratio;
};

struct LockBench {
  const LockEntry* lock = nullptr;
  std::string problem;     // why there are no cells; empty: there are
  std::string server;      // "redis-server 7.0.15"
  std::string reached_by;  // "unix sockets"
  std::string yardstick;   // "redis-benchmark"; empty: there is none
  std::string no_ratio;    // why there is none; empty: there is
  std::vector<LockBenchCell> cells;
};

// `on_cell` is called after each of them. Throws LiveError: a program is not installed or does not work.
LockBench measure_lock(const LockEntry& lock, const LockBenchOptions& options,
                       const std::function<void()>& on_cell);

}  // namespace holdfast::live
