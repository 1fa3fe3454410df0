#include "harness/stores/redis/server/reached_servers.h"

#include <utility>

#include "harness/kernel/require.h"
#include "harness/stores/redis/wire/resp.h"

namespace holdfast::live {

ReachedServers::ReachedServers(const ServersContext& context, Poller& poller, Reach reach)
    : kernel_(context.kernel),
      poller_(poller),
      reach_(std::move(reach)),
      calls_(context.kernel, context.network, context.steps) {}

void ReachedServers::add_processes(const ServersPlan& plan) {
  processes_.clear();
  gateways_.clear();
  for (std::size_t server = 0; server < plan.servers; ++server) {
    processes_.push_back(kernel_.add_process("server"));
    std::vector<Endpoint> of_threads;
    for (const std::vector<Endpoint>& thread : reach_.endpoints) {
      require(server < thread.size(), "every thread knows where every server is");
      of_threads.push_back(thread[server]);
    }
    gateways_.push_back(std::make_unique<RedisGateway>(calls_, poller_, std::move(of_threads),
                                                       redis_greeting(reach_.password)));
  }
}

void ReachedServers::start() {
  calls_.reset();
  for (const std::unique_ptr<RedisGateway>& gateway : gateways_) {
    gateway->open();
  }
}

std::unique_ptr<StoreClient> ReachedServers::connect(Env& env, std::size_t server, Duration command_timeout) {
  require(env.thread() >= 1 && env.thread() <= reach_.endpoints.size(), "a thread has endpoints of its own");
  return std::make_unique<LiveClient>(LiveClientSetup{
      env, calls_, processes_.at(server), *gateways_.at(server), poller_,
      reach_.endpoints[env.thread() - 1][server], redis_greeting(reach_.password), command_timeout});
}

}  // namespace holdfast::live
