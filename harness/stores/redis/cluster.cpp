#include "harness/stores/redis/cluster.h"

#include <algorithm>

#include "harness/kernel/require.h"
#include "harness/stores/node_due.h"
#include "harness/stores/redis/network_client.h"

namespace holdfast::redis {

void Cluster::add_processes_of(const Topology& topology) {
  topology_ = topology;
  begin();
  nodes_.clear();
  primaries_.clear();
  for (std::size_t server = 0; server < topology.servers; ++server) {
    primaries_.push_back(nodes_.size());
    for (std::size_t member = 0; member <= topology.replicas; ++member) {
      Node& node = maker_.make(nodes_.size(), topology);
      add(member_name(Client::store_id, topology.servers, server, member), node);
      nodes_.push_back(&node);
    }
  }
  for (std::size_t place = 0; place < nodes_.size(); ++place) {
    nodes_[place]->join(nodes_, place);
  }
  for (std::size_t place = 0; place < nodes_.size(); ++place) {
    const std::size_t primary = place - place % (1 + topology.replicas);
    if (place != primary) {
      nodes_[primary]->add_replica(place);
    }
  }
  expired_keys_.assign(nodes_.size(), 0);
}

void Cluster::start() {
  NodeGroup::start();
  for (const std::size_t primary : primaries_) {
    for (const std::size_t replica : nodes_[primary]->replicas()) {
      network().add_latency(process(primary), process(replica), topology_.replication_lag);
      nodes_[replica]->follow(primary, clocks(replica));
    }
  }
  for (std::size_t place = 0; place < nodes_.size(); ++place) {
    expired_keys_[place] = nodes_[place]->expired_keys();
  }
}

std::vector<ProcessId> Cluster::members(std::size_t server) const {
  std::vector<ProcessId> result;
  for (std::size_t member = 0; member <= topology_.replicas; ++member) {
    result.push_back(process(server * (topology_.replicas + 1) + member));
  }
  return result;
}

// All other members, though some may follow another by now: their links are slow all the same.
std::vector<ProcessId> Cluster::followers(ProcessId member) const {
  std::vector<ProcessId> others = members(server_of(member));
  std::erase(others, member);
  return others;
}

std::optional<Duration> Cluster::last_due() const {
  std::optional<Duration> last;
  for (std::size_t member = 0; member < nodes_.size(); ++member) {
    if (kernel().process(process(member)).alive) {
      last = later_of(last, nodes_[member]->last_due(clocks(member)), kernel(), process(member));
    }
  }
  return last;
}

bool Cluster::can(ServerAction action, std::size_t server) const {
  return action == ServerAction::failover && !living_replicas(server).empty();
}

// One that is longer than a clock can show never ends: it is none.
std::vector<Duration> Cluster::leases() const {
  std::vector<Duration> leases;
  for (const Node* const node : nodes_) {
    for (const std::int64_t lease_ms : node->leases_ms()) {
      if (lease_ms < to_milliseconds(never)) {
        leases.push_back(std::chrono::milliseconds(std::max<std::int64_t>(lease_ms, 0)));
      }
    }
  }
  return leases;
}

void Cluster::act(ServerAction action, std::size_t server) {
  require(action == ServerAction::failover, "Redis servers are told to fail over and nothing else");
  failover(server);
}

std::unique_ptr<StoreClient> Cluster::connect(Env& env, std::size_t server, Duration command_timeout) {
  return std::make_unique<NetworkClient>(env, *this, server, command_timeout);
}

std::vector<std::size_t> Cluster::living_replicas(std::size_t server) const {
  std::vector<std::size_t> living = nodes_[primaries_.at(server)]->replicas();
  std::erase_if(living, [&](std::size_t replica) { return !kernel().process(process(replica)).alive; });
  return living;
}

void Cluster::failover(std::size_t server) {
  const std::size_t old_primary = primaries_.at(server);
  const std::vector<std::size_t> candidates = living_replicas(server);
  if (candidates.empty()) {
    return;
  }
  const auto offset = [&](std::size_t place) { return nodes_[place]->replication_offset(); };
  // As Sentinel does: the replica that has received most.
  const std::size_t new_primary = *std::ranges::max_element(candidates, {}, offset);
  for (const std::size_t replica : nodes_[old_primary]->replicas()) {
    if (replica != new_primary) {
      nodes_[new_primary]->add_replica(replica);
    }
  }
  if (offset(new_primary) < offset(old_primary)) {
    kernel().mark(Mark::replica_lacked_writes);
  }
  kernel().crash(process(old_primary));
  nodes_[new_primary]->promote(clocks(new_primary));
  primaries_[server] = new_primary;
}

void Cluster::after(std::size_t member) {
  const std::uint64_t expired = nodes_[member]->expired_keys();
  if (std::exchange(expired_keys_[member], expired) != expired) {
    kernel().mark(Mark::lease_ran_out);
  }
}

void Cluster::after_restart(std::size_t) {
  if (topology_.append_only != AppendOnly::always) {
    kernel().mark(Mark::data_lost_at_restart);
  }
}

}  // namespace holdfast::redis
