#include "harness/stores/redis/network_client.h"

#include <algorithm>

namespace holdfast::redis {
namespace {

constexpr Duration reconnect_after = 10ms;

}  // namespace

NetworkClient::NetworkClient(Env& env, Cluster& cluster, std::size_t server, Duration command_timeout)
    : env_(env),
      cluster_(cluster),
      server_(server),
      command_timeout_(command_timeout),
      commands_(cluster, env.process()),
      channel_(cluster, *this) {}

RedisCalls::Awaiter NetworkClient::send(Command command, Cluster::Connection& connection, Duration timeout) {
  return cluster_.call(env_, connection, cluster_.primary(server_), timeout, {.command = std::move(command)});
}

Task<Answer> NetworkClient::execute(Command command) {
  return execute_within(std::move(command), command_timeout_);
}

Task<Answer> NetworkClient::execute_within(Command command, Duration timeout) {
  RedisCalls::Result result = co_await send(std::move(command), commands_, timeout);
  if (result.error == CallError::timeout) {
    commands_.replace();
  }
  co_return Answer{result.error, std::move(result.response)};
}

Task<Answer> NetworkClient::subscribe(std::string channel, Mailbox& mailbox) {
  subscriptions_.push_back({channel, &mailbox});
  subscribed_at_ = cluster_.serving(server_);
  RedisCalls::Result result = co_await send(make_command("SUBSCRIBE", channel), channel_, command_timeout_);
  if (result.error != CallError::none) {
    forget(mailbox);
  }
  co_return Answer{result.error, std::move(result.response)};
}

Task<Answer> NetworkClient::unsubscribe(std::string channel, Mailbox& mailbox) {
  forget(mailbox);
  RedisCalls::Result result = co_await send(make_command("UNSUBSCRIBE", channel), channel_, command_timeout_);
  co_return Answer{result.error, std::move(result.response)};
}

Task<std::int64_t> NetworkClient::replicas() {
  co_return static_cast<std::int64_t>(cluster_.living_replicas(server_).size());
}

void NetworkClient::forget(const Mailbox& mailbox) noexcept {
  std::erase_if(subscriptions_, [&](const Subscription& each) { return each.mailbox == &mailbox; });
}

void NetworkClient::channel_broke(ProcessId server) {
  if (server != subscribed_at_) {
    return;
  }
  for (const Subscription& subscription : subscriptions_) {
    env_.spawn(subscribe_again(subscription.channel));
  }
}

Task<> NetworkClient::subscribe_again(std::string channel) {
  while (true) {
    co_await env_.sleep(reconnect_after);
    const bool wanted = std::any_of(subscriptions_.begin(), subscriptions_.end(),
                                    [&](const Subscription& each) { return each.channel == channel; });
    if (!wanted) {
      co_return;
    }
    const ProcessId server = cluster_.serving(server_);
    const RedisCalls::Result result =
        co_await send(make_command("SUBSCRIBE", channel), channel_, command_timeout_);
    if (result.error == CallError::none) {
      subscribed_at_ = server;
      co_return;
    }
  }
}

void NetworkClient::deliver(const ChannelMessage& message) {
  for (const Subscription& subscription : subscriptions_) {
    if (subscription.channel == message.channel) {
      subscription.mailbox->deliver(message.payload);
    }
  }
}

}  // namespace holdfast::redis
