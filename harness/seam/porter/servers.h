// The porters of one run: their processes, who stands by for whom, and the clients' connections to them.
#pragma once

#include <memory>
#include <vector>

#include "harness/seam/porter/node.h"
#include "harness/stores/node_group.h"
#include "harness/stores/servers.h"

namespace holdfast::porter {

class PorterServers final : public Servers, public NodeGroup<NodeTypes> {
 public:
  explicit PorterServers(const ServersContext& context) : NodeGroup(context) {}

  void add_processes(const ServersPlan& plan) override;
  void start() override { NodeGroup::start(); }
  std::size_t count() const override { return serving_.size(); }
  std::vector<ProcessId> members(std::size_t server) const override;
  ProcessId serving(std::size_t server) const override { return process(serving_.at(server)); }
  std::vector<ProcessId> followers(ProcessId member) const override;
  std::optional<Duration> last_due() const override;
  bool can(ServerAction action, std::size_t server) const override;
  void act(ServerAction action, std::size_t server) override;
  std::unique_ptr<StoreClient> connect(Env& env, std::size_t server, Duration command_timeout) override;

  // By its place among all of the run.
  std::size_t serving_member(std::size_t server) const { return serving_.at(server); }
  // For the fault of this store's own.
  void evict(ProcessId member, ModelNode::Whom whom);

 private:
  // Of a server, the first member that lives and does not serve; nothing: there is none.
  std::optional<std::size_t> standby(std::size_t server) const;

  std::size_t members_of_each_ = 1;
  Duration ping_{0};
  std::vector<std::unique_ptr<ModelNode>> nodes_;
  std::vector<std::size_t> serving_;  // of each server
};

}  // namespace holdfast::porter
