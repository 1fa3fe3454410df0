// The Redis client of `sim` and `warp`: one thread's connections, carried by the kernel's network.
//
// Two connections, as client libraries keep them: one for commands and one for subscriptions. When a
// connection breaks the client connects and subscribes again by itself, as Redisson does; what was
// published in between is lost.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/env/env.h"
#include "harness/stores/redis/client.h"
#include "harness/stores/redis/cluster.h"

namespace holdfast::redis {

class NetworkClient final : public Client {
 public:
  NetworkClient(Env& env, Cluster& cluster, std::size_t server, Duration command_timeout);
  ~NetworkClient() override;

  Task<Answer> execute(Command command) override;
  Task<Answer> execute_within(Command command, Duration timeout) override;
  Task<Answer> subscribe(std::string channel, Semaphore& arrivals) override;
  Task<Answer> unsubscribe(std::string channel, Semaphore& arrivals) override;
  void forget(const Semaphore& arrivals) noexcept override;

  // A message for one of this client's subscriptions.
  void deliver(const std::string& channel);
  // The connection to this server process broke.
  void connection_lost(ProcessId server);
  ProcessId process() const { return env_.process(); }

 private:
  struct Subscription {
    std::string channel;
    Semaphore* arrivals;
  };

  Task<> subscribe_again(std::string channel);
  RedisCalls::Awaiter send(Command command, ConnectionId connection, Duration timeout);

  Env& env_;
  Cluster& cluster_;
  std::size_t server_;
  Duration command_timeout_;
  ConnectionId commands_;
  ConnectionId channel_;
  std::vector<Subscription> subscriptions_;
  ProcessId subscribed_at_{};  // the server process that knows of them
};

}  // namespace holdfast::redis
