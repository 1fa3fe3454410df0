// What a benchmark's clients do: acquire and release, again and again, and what that took.
//
// A latch has nothing to release: there a cycle is set the count to 1, count down, await zero, and awaiting
// is what counts as its acquire.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/live/bench/bench_clients.h"

namespace holdfast::live {

// All clients' cycles in a stretch of time, or in several.
struct CycleTally {
  std::vector<std::uint64_t> acquires;  // granted, by client
  // Of each acquire, from call to return. One that still waits when the time is up counts with the time it
  // has waited so far: leaving it out would hide the longest.
  std::vector<Duration> waits;
  std::uint64_t requests = 0;  // to servers
  std::uint64_t failures = 0;  // acquires and releases that did not say "ok"
  std::string problem;         // what the first of them said
  double seconds = 0;
  double cpu_seconds = 0;  // of this process

  std::uint64_t total() const;
  void add(const CycleTally& more);
};

// Runs all clients for so long. Nobody is asked to come to an end: what is under way then is cut short.
CycleTally run_cycles(BenchClients& clients, Duration lasts);

// One cycle of one client, which the servers' yardstick hears, if they have one. Answers why it does not
// work; empty: it does.
std::string try_cycle(const LockEntry& lock, BenchServers& servers);

}  // namespace holdfast::live
