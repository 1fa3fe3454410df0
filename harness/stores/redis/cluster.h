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
#include "harness/stores/redis/topology.h"
#include "harness/stores/servers.h"

namespace holdfast::redis {

class NetworkClient;

// Makes the backends of a run, one per process; called anew for each run and expected to reuse them.
class BackendFactory {
 public:
  BackendFactory() = default;
  BackendFactory(const BackendFactory&) = delete;
  BackendFactory& operator=(const BackendFactory&) = delete;
  virtual ~BackendFactory() = default;
  virtual Backend& make(std::size_t node, const Topology& topology) = 0;
};

class Cluster : public Servers, public ResetListener {
 public:
  Cluster(Kernel& kernel, Network& network, RedisCalls& calls, BackendFactory& factory);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster() override;

  void add_processes(const ServersPlan& plan) override { add_processes_of(topology_of(plan)); }
  void add_processes_of(const Topology& topology);
  // Replication links get their lag.
  void start() override;

  std::size_t count() const override { return topology_.servers; }
  // Primary first, as of the start.
  std::vector<ProcessId> members(std::size_t server) const override;
  // The primary.
  ProcessId serving(std::size_t server) const override;
  std::vector<ProcessId> followers(ProcessId member) const override;
  bool can(ServerAction action, std::size_t server) const override;
  void act(ServerAction action, std::size_t server) override;
  std::unique_ptr<StoreClient> connect(Env& env, std::size_t server, Duration command_timeout) override;

  RedisCalls::Service& service(std::size_t server);
  // The primary dies and the replica that has received most takes over at once, with that.
  void failover(std::size_t server);
  void set_append_only(AppendOnly policy) { topology_.append_only = policy; }

  void on_reset(ProcessId one, ProcessId other) override;

  ConnectionId open_connection(NetworkClient& client);
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
