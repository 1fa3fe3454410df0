// The Redis servers of one run: their processes, who follows whom, failover and restart.
//
// A *server* here is what a client connects to: one primary and its replicas. The servers are
// independent of each other (Redlock). Who answers is a Node per process, a model or a real
// redis-server; when things happen is the kernel's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "harness/stores/node_group.h"
#include "harness/stores/redis/node.h"
#include "harness/stores/redis/topology.h"
#include "harness/stores/servers.h"

namespace holdfast::redis {

// Makes the nodes of a run, one per process; called anew for each run and expected to reuse them.
class NodeMaker {
 public:
  NodeMaker() = default;
  NodeMaker(const NodeMaker&) = delete;
  NodeMaker& operator=(const NodeMaker&) = delete;
  virtual ~NodeMaker() = default;
  // `place` counts the processes of the run, server by server, each primary before its replicas.
  virtual Node& make(std::size_t place, const Topology& topology) = 0;
};

class Cluster : public Servers, public NodeGroup<NodeTypes> {
 public:
  Cluster(const ServersContext& context, NodeMaker& maker) : NodeGroup(context), maker_(maker) {}

  void add_processes(const ServersPlan& plan) override { add_processes_of(topology_of(plan)); }
  void add_processes_of(const Topology& topology);
  // Replication links get their lag.
  void start() override;
  void end() override { NodeGroup::end(); }

  std::size_t count() const override { return topology_.servers; }
  // Primary first, as of the start.
  std::vector<ProcessId> members(std::size_t server) const override;
  // The primary.
  ProcessId serving(std::size_t server) const override { return process(primaries_.at(server)); }
  std::size_t primary(std::size_t server) const { return primaries_.at(server); }
  std::vector<ProcessId> followers(ProcessId member) const override;
  std::optional<Duration> last_due() const override;
  bool can(ServerAction action, std::size_t server) const override;
  void act(ServerAction action, std::size_t server) override;
  std::vector<Duration> leases() const override;
  std::unique_ptr<StoreClient> connect(Env& env, std::size_t server, Duration command_timeout) override;

  // The primary dies and the living replica that has received most takes over at once, with that. Without one
  // nothing happens.
  void failover(std::size_t server);

 protected:
  void after(std::size_t member) override;
  void after_restart(std::size_t member) override;

 private:
  std::vector<std::size_t> living_replicas(std::size_t server) const;

  NodeMaker& maker_;
  Topology topology_;
  std::vector<Node*> nodes_;
  std::vector<std::uint64_t> expired_keys_;  // found so far, by node
  std::vector<std::size_t> primaries_;       // node of each server
};

}  // namespace holdfast::redis
