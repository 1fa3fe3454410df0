// The Redis client of `sim` and `warp`: one thread's connections, carried by the kernel's network.
//
// Two connections, as client libraries keep them: one for commands and one for subscriptions. When a
// connection breaks the client connects and subscribes again by itself, as Redisson does; what was
// published in between is lost. A command that is not answered in time takes its connection with it.
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

  Task<Answer> execute(Command command) override;
  Task<Answer> execute_within(Command command, Duration timeout) override;
  Task<Answer> subscribe(std::string channel, Mailbox& mailbox) override;
  Task<Answer> unsubscribe(std::string channel, Mailbox& mailbox) override;
  Task<std::int64_t> replicas() override;
  void forget(const Mailbox& mailbox) noexcept override;

 private:
  struct Subscription {
    std::string channel;
    Mailbox* mailbox;
  };
  // For commands: nobody has to be told that it broke, and nothing comes that was not asked for.
  class Line final : public Cluster::Connection {
   public:
    using Connection::Connection;
    void hear(const ChannelMessage&) override {}
    void broke(ProcessId) override {}
  };
  class Channel final : public Cluster::Connection {
   public:
    Channel(Cluster& cluster, NetworkClient& owner)
        : Connection(cluster, owner.env_.process()), owner_(owner) {}
    void hear(const ChannelMessage& message) override { owner_.deliver(message); }
    void broke(ProcessId server) override { owner_.channel_broke(server); }

   private:
    NetworkClient& owner_;
  };

  void deliver(const ChannelMessage& message);
  void channel_broke(ProcessId server);
  Task<> subscribe_again(std::string channel);
  RedisCalls::Awaiter send(Command command, Cluster::Connection& connection, Duration timeout);

  Env& env_;
  Cluster& cluster_;
  std::size_t server_;
  Duration command_timeout_;
  Line commands_;
  Channel channel_;
  std::vector<Subscription> subscriptions_;
  ProcessId subscribed_at_{};  // the server process that knows of them
};

}  // namespace holdfast::redis
