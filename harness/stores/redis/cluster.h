// The Redis servers of one run: their processes, replication between them, failover and restart.
//
// A *server* here is what a client connects to: one primary and its replicas. The servers are
// independent of each other (Redlock). Who answers is a Backend per process, a model or a real
// redis-server; when things happen is the kernel's.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "harness/kernel/network.h"
#include "harness/stores/redis/backend.h"
#include "harness/stores/redis/request.h"

namespace holdfast::redis {

class NetworkClient;

struct Topology {
  std::size_t servers = 0;
  std::size_t replicas = 0;  // of each server
  AppendOnly append_only = AppendOnly::never;
  Duration replication_lag = 1ms;  // on top of the link's latency
};

// Makes the backends of a run, one per process; called anew for each run and expected to reuse them.
class BackendFactory {
 public:
  BackendFactory() = default;
  BackendFactory(const BackendFactory&) = delete;
  BackendFactory& operator=(const BackendFactory&) = delete;
  virtual ~BackendFactory() = default;
  virtual Backend& make(std::size_t node, const Topology& topology) = 0;
};

class Cluster final : public ResetListener {
 public:
  Cluster(Kernel& kernel, Network& network, RedisCalls& calls, BackendFactory& factory);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster() override;

  // Adds the processes of the run to the kernel ("redis", or "redis-1" …; replicas "redis-b" …).
  void add_processes(const Topology& topology);
  // After the network was reset: replication links get their lag.
  void start();

  std::size_t server_count() const { return topology_.servers; }
  // The process that is primary of the server now.
  ProcessId primary(std::size_t server) const;
  RedisCalls::Service& service(std::size_t server);
  // The processes of the server, primary first as of the start.
  std::vector<ProcessId> processes(std::size_t server) const;

  // The primary dies and the replica that has received most takes over at once, with that.
  void failover(std::size_t server);
  bool can_fail_over(std::size_t server) const;

  void on_reset(ProcessId one, ProcessId other) override;

  ConnectionId connect(NetworkClient& client);
  void disconnect(ConnectionId connection);
  RedisCalls& calls() { return calls_; }
  Kernel& kernel() { return kernel_; }

 private:
  class Node;
  class ReplicationMessage;
  class PushMessage;

  void publish(Node& from, std::vector<Push>& pushes);

  Kernel& kernel_;
  Network& network_;
  RedisCalls& calls_;
  BackendFactory& factory_;
  Topology topology_;
  std::vector<std::unique_ptr<Node>> nodes_;  // the first node_count_ are of this run, the rest spare
  std::size_t node_count_ = 0;
  std::vector<std::size_t> primaries_;  // node index per server
  std::vector<NetworkClient*> connections_;
  std::vector<std::unique_ptr<ReplicationMessage>> replication_messages_;
  std::vector<std::unique_ptr<PushMessage>> push_messages_;
};

}  // namespace holdfast::redis
