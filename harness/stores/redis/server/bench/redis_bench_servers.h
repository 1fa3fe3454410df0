// The redis-servers that a lock is measured against.
//
// They are reached by unix sockets in a private directory. A primary that has replicas must listen on a port
// too, for them: then all of them have a password.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/process/temporary_directory.h"
#include "harness/stores/bench_servers.h"
#include "harness/stores/redis/server/bench/redis_benchmark.h"
#include "harness/stores/redis/server/connection.h"
#include "harness/stores/redis/server/redis_server.h"

namespace holdfast::live {

class RedisBenchServers final : public BenchServers {
 public:
  // Starts them and waits until the replicas follow. Throws LiveError.
  RedisBenchServers(const ServersPlan& plan, ServerProgram program);

  std::string name() const override { return nodes_.front().server->vendor_and_release(); }
  std::string_view reached_by() const override { return "unix sockets"; }
  Reach reach(std::size_t threads) const override;
  Task<std::string> greet(StoreClient& client) override;
  ServerUsage usage() override;
  void flush() override;
  Yardstick* yardstick() override { return yardstick_.get(); }

 private:
  struct Node {
    std::unique_ptr<RedisServer> server;
    std::unique_ptr<Connection> connection;  // ours, for questions
    bool is_replica = false;
  };

  Node& add_node(bool listens);
  void add_replica(int primary_port);

  ServerProgram program_;
  std::string password_;  // empty: there is no port that others could reach
  TemporaryDirectory directory_;
  std::vector<Node> nodes_;
  std::unique_ptr<RedisBenchmark> yardstick_;
};

// The sum of `calls` in the answer to INFO commandstats, without what is asked by us or by replicas.
std::uint64_t commands_in(std::string_view commandstats);

}  // namespace holdfast::live
