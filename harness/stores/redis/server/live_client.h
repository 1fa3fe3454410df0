// The Redis client of `live`: one thread's connections to one server, over real sockets.
//
// The counterpart of redis::NetworkClient, with the same habits: commands on one connection, subscriptions on
// another; when that breaks it connects and subscribes again by itself, and what was published in between is
// lost. After a failover its endpoint leads to the new primary (the proxy sees to that, as a client library
// behind Sentinel does).
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/env/env.h"
#include "harness/stores/gateway.h"
#include "harness/stores/redis/client.h"
#include "harness/stores/redis/request.h"
#include "harness/stores/redis/wire/resp.h"

namespace holdfast::live {

struct RedisCodec {
  static std::string encode(const redis::Request& request) { return to_resp(request.command); }
  static redis::Reply decode(std::string_view message) { return resp_reply(message); }
  static std::optional<std::size_t> framing(std::string_view bytes) { return resp_length(bytes); }
};
using RedisGateway = Gateway<redis::RedisCalls, RedisCodec>;

// What a LiveClient needs; all of it must outlive the client.
struct LiveClientSetup {
  Env& env;
  redis::RedisCalls& calls;
  ProcessId server;       // what the kernel calls the server
  RedisGateway& gateway;  // for its commands
  Poller& poller;
  Endpoint endpoint;     // for its subscriptions
  std::string greeting;  // that is said first there; empty: nothing
  Duration command_timeout;
};

class LiveClient final : public redis::Client {
 public:
  explicit LiveClient(LiveClientSetup setup);
  ~LiveClient() override;

  Task<redis::Answer> execute(redis::Command command) override;
  Task<redis::Answer> execute_within(redis::Command command, Duration timeout) override;
  Task<redis::Answer> subscribe(std::string channel, redis::Mailbox& mailbox) override;
  Task<redis::Answer> unsubscribe(std::string channel, redis::Mailbox& mailbox) override;
  Task<std::int64_t> replicas() override;
  void forget(const redis::Mailbox& mailbox) noexcept override;

 private:
  struct Subscription {
    std::string channel;
    redis::Mailbox* mailbox;
    bool is_being_renewed;  // after the connection broke
  };
  // The connection of subscriptions, as a service: answers come in any order, and news in between.
  class Channels;

  // Not a coroutine: a request made inside a co_await would be destroyed twice by GCC 12.
  redis::RedisCalls::Awaiter call(redis::RedisCalls::Service& service, redis::Command command,
                                  Duration timeout);
  Task<redis::Answer> ask_channels(redis::Command command);
  Task<> subscribe_again(const redis::Mailbox* mailbox);
  std::vector<Subscription>::iterator find(const redis::Mailbox* mailbox);
  void deliver(const redis::ChannelMessage& message);
  void connection_lost();

  LiveClientSetup setup_;
  std::unique_ptr<Channels> channels_;
  std::vector<Subscription> subscriptions_;
  std::optional<std::int64_t>
      replicas_;  // as the server said; asked again once a connection or one of them failed
};

}  // namespace holdfast::live
