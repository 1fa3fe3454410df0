// Redis servers at the other end of sockets, as a process in real time sees them.
#pragma once

#include <memory>
#include <vector>

#include "harness/stores/redis/server/live_client.h"
#include "harness/stores/store.h"

namespace holdfast::live {

class ReachedServers final : public Servers {
 public:
  ReachedServers(const ServersContext& context, Poller& poller, Reach reach);

  void add_processes(const ServersPlan& plan) override;
  void start() override;
  std::size_t count() const override { return processes_.size(); }
  std::vector<ProcessId> members(std::size_t server) const override { return {processes_.at(server)}; }
  ProcessId serving(std::size_t server) const override { return processes_.at(server); }
  std::unique_ptr<StoreClient> connect(Env& env, std::size_t server, Duration command_timeout) override;

 private:
  Kernel& kernel_;
  Poller& poller_;
  Reach reach_;
  redis::RedisCalls calls_;
  std::vector<ProcessId> processes_;
  std::vector<std::unique_ptr<RedisGateway>> gateways_;  // one for each server
};

}  // namespace holdfast::live
