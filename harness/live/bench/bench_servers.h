// The redis-servers that a lock is measured against: as many as it needs, on ports of the loopback address,
// without proxies or clock pages in between. Gone with this object.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/machine/net/socket.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/stores/redis/server/connection.h"
#include "harness/stores/redis/server/redis_server.h"
#include "locks/catalog.h"

namespace holdfast::live {

// What servers have done since they started.
struct ServerUsage {
  std::uint64_t commands = 0;  // carried out by the primaries, those inside scripts included; none of ours
  double cpu_seconds = 0;      // of all processes, replicas included

  ServerUsage since(const ServerUsage& before) const {
    return {commands - before.commands, cpu_seconds - before.cpu_seconds};
  }
};

class BenchServers {
 public:
  // Starts them and waits until the replicas follow. Throws LiveError.
  BenchServers(const LockNeeds& needs, ServerProgram program);

  // Of the primaries.
  std::vector<Endpoint> endpoints() const;
  const std::string& vendor_and_release() const { return nodes_.front().server->vendor_and_release(); }
  ServerUsage usage();
  // Empties them.
  void flush();

 private:
  struct Node {
    std::unique_ptr<RedisServer> server;
    std::unique_ptr<Connection> connection;  // ours, for questions
    bool is_replica = false;
  };

  Node& add_node();
  void add_replica(int primary_port);

  ServerProgram program_;
  TemporaryDirectory directory_;
  std::vector<Node> nodes_;
};

// The sum of `calls` in the answer to INFO commandstats, without what is asked by us or by replicas.
std::uint64_t commands_in(std::string_view commandstats);

}  // namespace holdfast::live
