// Real servers for a cluster, kept from run to run.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/process/secret.h"
#include "harness/stores/redis/cluster.h"
#include "harness/stores/redis/server/real_node.h"
#include "harness/stores/store.h"

namespace holdfast::live {

class RealNodes final : public redis::NodeMaker, public RealServers {
 public:
  explicit RealNodes(ServerProgram program = installed_redis()) : program_(std::move(program)) {}

  // Throws LiveError if a server cannot be started.
  redis::Node& make(std::size_t place, const redis::Topology& topology) override;

  // "redis-server 7.0.15", "valkey-server 8.1.1", once one was made; before that the name of the program.
  std::string name() const override;
  // Commands carried out by all of them.
  std::uint64_t steps() const override;

 private:
  // One per place and set of options: changing the options of a server means another server.
  struct Kept {
    RealNodeOptions options;
    std::unique_ptr<RealNode> node;
  };
  ServerProgram program_;
  std::string password_ = new_secret();
  std::vector<std::vector<Kept>> kept_;
};

}  // namespace holdfast::live
