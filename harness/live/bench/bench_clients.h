// Clients of a benchmark: the lock code as it is, on real time, in one thread that polls all connections, as
// benchmarks of servers do.
//
// Each client is a thread of one kernel process, with an Env, connections and a Lock object of its own, so
// that nothing but the servers joins them: to the lock they are processes apart.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/kernel/random_strategy.h"
#include "harness/live/client/real_time.h"
#include "harness/run/world.h"
#include "harness/stores/bench_servers.h"
#include "locks/catalog.h"

namespace holdfast::live {

// How all clients on one key, or each on its own, call it.
std::string bench_key(std::size_t client);

struct BenchClientsSetup {
  const LockEntry& lock;
  std::size_t clients = 1;
  bool contended = false;  // all on one key
  BenchServers& servers;
  bool is_heard = false;  // by the servers' yardstick
};

struct BenchClient {
  explicit BenchClient(const Env& its_env) : env(its_env) {}
  BenchClient(const BenchClient&) = delete;
  BenchClient& operator=(const BenchClient&) = delete;

  Env env;
  StoreClients stores;
  Caller caller{env, stores};
  std::unique_ptr<Lock> lock;
  std::unique_ptr<Latch> latch;  // or this
};

class BenchClients {
 public:
  // Connects all of them. Throws LiveError if a server does not answer.
  explicit BenchClients(const BenchClientsSetup& setup);
  BenchClients(const BenchClients&) = delete;
  BenchClients& operator=(const BenchClients&) = delete;
  ~BenchClients() { world_.kernel.stop(); }

  std::size_t count() const { return clients_.size(); }
  BenchClient& client(std::size_t number) { return *clients_[number]; }
  // Runs as a thread once run() does. What it refers to must last until stop().
  void spawn(Task<> body) { world_.kernel.spawn(process(), std::move(body)); }
  // Until all that was spawned has ended, `limit` at the longest; says whether it has.
  bool run(Duration limit);
  // Ends all that was spawned, wherever it stands. The last thing these clients do.
  void stop() { world_.kernel.stop(); }
  // Requests sent so far, by locks and to connect.
  std::uint64_t request_count() const { return (world_.network.sent_count() + 1) / 2; }

 private:
  void add_client(const BenchClientsSetup& setup, std::uint32_t number);
  void connect(const BenchClientsSetup& setup);
  ProcessId process() const { return world_.clients.front(); }

  RandomStrategy random_;
  Poller poller_;
  World world_;
  ServersPlan plan_;
  std::vector<std::unique_ptr<BenchClient>> clients_;
  std::unique_ptr<RealTime> time_;
};

}  // namespace holdfast::live
