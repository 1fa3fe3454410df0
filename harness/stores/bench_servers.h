// The servers that a lock is measured against, whatever store they are of: real ones, in real time, without
// proxies or clock pages in between. They are started for the measurement and gone with the object; nobody
// else on the machine is answered by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel/task.h"
#include "harness/stores/store.h"
#include "harness/stores/store_client.h"

namespace holdfast::live {

// What servers have done since they started.
struct ServerUsage {
  std::uint64_t requests = 0;  // carried out for clients, those inside scripts included; none of ours
  double cpu_seconds = 0;      // of all processes, replicas included

  ServerUsage since(const ServerUsage& before) const {
    return {requests - before.requests, cpu_seconds - before.cpu_seconds};
  }
};

// What a program that comes with the server reaches with the round trips of a lock's cycle, to compare with:
// redis-benchmark for Redis.
class Yardstick {
 public:
  Yardstick() = default;
  Yardstick(const Yardstick&) = delete;
  Yardstick& operator=(const Yardstick&) = delete;
  virtual ~Yardstick() = default;

  // "redis-benchmark"
  virtual std::string_view name() const = 0;

  // The same client, whose requests are noted from now on. The yardstick outlives it.
  virtual std::unique_ptr<StoreClient> listen(std::unique_ptr<StoreClient> client) = 0;
  // What was noted is one cycle on `key`, and what it is going to do again and again.
  virtual void take_cycle(std::string_view key) = 0;
  // Why it cannot do the same, behind "no ratio, "; empty: it can.
  virtual std::string why_not() const = 0;

  // How many times each request of the cycle is sent in it.
  virtual std::vector<std::size_t> times() const = 0;
  // Replies a second to that request, on so many connections. Throws LiveError: not installed, does not work.
  virtual double rate(std::size_t request, std::size_t connections, std::uint64_t requests) = 0;
};

class BenchServers {
 public:
  BenchServers() = default;
  BenchServers(const BenchServers&) = delete;
  BenchServers& operator=(const BenchServers&) = delete;
  virtual ~BenchServers() = default;

  // "redis-server 7.0.15"
  virtual std::string name() const = 0;
  // "unix sockets", for who compares figures.
  virtual std::string_view reached_by() const = 0;
  // For so many threads.
  virtual Reach reach(std::size_t threads) const = 0;
  // Connects a client for good, which is not part of what is measured. Answers what is wrong; empty: nothing.
  virtual Task<std::string> greet(StoreClient& client) = 0;
  virtual ServerUsage usage() = 0;
  // Empties them.
  virtual void flush() = 0;
  // nullptr: there is none.
  virtual Yardstick* yardstick() { return nullptr; }
};

}  // namespace holdfast::live
