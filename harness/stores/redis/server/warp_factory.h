// Real servers for a cluster, kept from run to run.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/process/secret.h"
#include "harness/stores/redis/cluster.h"
#include "harness/stores/redis/server/warp_backend.h"
#include "harness/stores/store.h"

namespace holdfast::live {

class WarpFactory final : public redis::BackendFactory, public RealServers {
 public:
  explicit WarpFactory(ServerProgram program = installed_redis()) : program_(std::move(program)) {}

  // Throws LiveError if a server cannot be started.
  redis::Backend& make(std::size_t node, const redis::Topology& topology) override;

  // "redis-server 7.0.15", "valkey-server 8.1.1", once one was made; before that the name of the program.
  std::string name() const override;
  // Commands carried out by all of them.
  std::uint64_t steps() const override;

 private:
  // One per node and set of options: changing the options of a server means another server.
  struct Kept {
    WarpOptions options;
    std::unique_ptr<WarpBackend> backend;
  };
  ServerProgram program_;
  std::string password_ = new_secret();
  std::vector<std::vector<Kept>> kept_;
};

}  // namespace holdfast::live
