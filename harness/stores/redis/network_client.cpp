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
      commands_(cluster.open_connection(*this)),
      channel_(cluster.open_connection(*this)) {}

NetworkClient::~NetworkClient() {
  cluster_.disconnect(commands_);
  cluster_.disconnect(channel_);
}

RedisCalls::Awaiter NetworkClient::send(Command command, ConnectionId connection, Duration timeout) {
  return cluster_.calls().call(env_, cluster_.serving(server_), cluster_.service(server_), timeout,
                               {std::move(command), connection});
}

Task<Answer> NetworkClient::execute(Command command) {
  return execute_within(std::move(command), command_timeout_);
}

Task<Answer> NetworkClient::execute_within(Command command, Duration timeout) {
  RedisCalls::Result result = co_await send(std::move(command), commands_, timeout);
  co_return Answer{result.error, std::move(result.response)};
}

Task<Answer> NetworkClient::subscribe(std::string channel, Semaphore& arrivals) {
  subscriptions_.push_back({channel, &arrivals});
  subscribed_at_ = cluster_.serving(server_);
  RedisCalls::Result result = co_await send(make_command("SUBSCRIBE", channel), channel_, command_timeout_);
  if (result.error != CallError::none) {
    forget(arrivals);
  }
  co_return Answer{result.error, std::move(result.response)};
}

Task<Answer> NetworkClient::unsubscribe(std::string channel, Semaphore& arrivals) {
  forget(arrivals);
  RedisCalls::Result result = co_await send(make_command("UNSUBSCRIBE", channel), channel_, command_timeout_);
  co_return Answer{result.error, std::move(result.response)};
}

void NetworkClient::forget(const Semaphore& arrivals) noexcept {
  std::erase_if(subscriptions_, [&](const Subscription& each) { return each.arrivals == &arrivals; });
}

void NetworkClient::connection_lost(ProcessId server) {
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

void NetworkClient::deliver(const std::string& channel) {
  for (const Subscription& subscription : subscriptions_) {
    if (subscription.channel == channel) {
      subscription.arrivals->release();
    }
  }
}

}  // namespace holdfast::redis
