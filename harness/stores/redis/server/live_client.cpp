#include "harness/stores/redis/server/live_client.h"

#include <algorithm>
#include <utility>

#include "harness/stores/redis/server/info.h"

namespace holdfast::live {
namespace {

constexpr Duration reconnect_after = 10ms;

}  // namespace

class LiveClient::Channels final : public redis::RedisCalls::Service {
 public:
  explicit Channels(LiveClient& owner) : owner_(owner) {}
  ~Channels() override {
    for (redis::RedisCalls::Call* call : waiting_) {
      call->release();
    }
  }

  void serve(redis::RedisCalls::Call& call) override {
    if (socket_ == nullptr || !socket_->is_open()) {
      socket_ = std::make_unique<Socket>(
          owner_.setup_.poller,
          SocketOptions{.endpoint = owner_.setup_.endpoint,
                        .framing = &resp_length,
                        .heard = [this](std::string_view message) { hear(resp_reply(message)); },
                        .ended = [this](CallError reason) { end(reason); }});
      awaits_greeting_ = !owner_.setup_.greeting.empty();
      if (awaits_greeting_) {
        socket_->send(owner_.setup_.greeting);
      }
    }
    call.retain();
    waiting_.push_back(&call);
    socket_->send(to_resp(call.request.command));
  }

 private:
  void hear(redis::Reply reply) {
    if (std::exchange(awaits_greeting_, false)) {
      return;
    }
    if (is_push(reply)) {
      owner_.deliver({reply.elements[1].text, reply.elements[2].text});
      return;
    }
    const auto asked = std::find_if(waiting_.begin(), waiting_.end(),
                                    [&](const auto* call) { return answers(reply, call->request.command); });
    if (asked != waiting_.end()) {
      redis::RedisCalls::Call& call = **asked;
      waiting_.erase(asked);
      owner_.setup_.calls.respond(call, std::move(reply));
      call.release();
    }
  }

  // An error answers whatever was asked first.
  static bool answers(const redis::Reply& reply, const redis::Command& command) {
    if (reply.elements.size() != 3) {
      return true;
    }
    const bool subscribes = reply.elements[0].is_bulk("subscribe");
    return subscribes == (command[0] == "SUBSCRIBE") && reply.elements[1].is_bulk(command[1]);
  }

  void end(CallError reason) {
    for (redis::RedisCalls::Call* call : std::exchange(waiting_, {})) {
      owner_.setup_.calls.fail(*call, reason);
      call->release();
    }
    owner_.connection_lost();
  }

  LiveClient& owner_;
  std::unique_ptr<Socket> socket_;
  bool awaits_greeting_ = false;
  std::deque<redis::RedisCalls::Call*> waiting_;
};

LiveClient::LiveClient(LiveClientSetup setup)
    : setup_(std::move(setup)), channels_(std::make_unique<Channels>(*this)) {}

LiveClient::~LiveClient() = default;

Task<redis::Answer> LiveClient::execute(redis::Command command) {
  return execute_within(std::move(command), setup_.command_timeout);
}

redis::RedisCalls::Awaiter LiveClient::call(redis::RedisCalls::Service& service, redis::Command command,
                                            Duration timeout) {
  return setup_.calls.call(setup_.env, setup_.server, service, timeout, {std::move(command), 0});
}

Task<redis::Answer> LiveClient::execute_within(redis::Command command, Duration timeout) {
  const bool asks_replicas = command.front() == "WAIT";
  redis::RedisCalls::Result result = co_await call(setup_.gateway, std::move(command), timeout);
  redis::Answer answer{result.error, std::move(result.response)};
  if (answer.failed() || (asks_replicas && replicas_ && !answer.is(*replicas_))) {
    replicas_.reset();
  }
  co_return answer;
}

Task<std::int64_t> LiveClient::replicas() {
  if (!replicas_) {
    redis::RedisCalls::Result result =
        co_await call(setup_.gateway, redis::make_command("INFO", "replication"), setup_.command_timeout);
    if (result.error != CallError::none) {
      co_return 0;
    }
    replicas_ = info_number(result.response.text, "connected_slaves");
  }
  co_return *replicas_;
}

Task<redis::Answer> LiveClient::ask_channels(redis::Command command) {
  redis::RedisCalls::Result result = co_await call(*channels_, std::move(command), setup_.command_timeout);
  co_return redis::Answer{result.error, std::move(result.response)};
}

Task<redis::Answer> LiveClient::subscribe(std::string channel, redis::Mailbox& mailbox) {
  subscriptions_.push_back({channel, &mailbox, false});
  redis::Answer answer = co_await ask_channels(redis::make_command("SUBSCRIBE", channel));
  if (answer.failed()) {
    forget(mailbox);
  }
  co_return answer;
}

Task<redis::Answer> LiveClient::unsubscribe(std::string channel, redis::Mailbox& mailbox) {
  forget(mailbox);
  redis::Answer answer = co_await ask_channels(redis::make_command("UNSUBSCRIBE", channel));
  co_return answer;
}

void LiveClient::forget(const redis::Mailbox& mailbox) noexcept {
  std::erase_if(subscriptions_, [&](const Subscription& each) { return each.mailbox == &mailbox; });
}

void LiveClient::connection_lost() {
  for (Subscription& subscription : subscriptions_) {
    if (!std::exchange(subscription.is_being_renewed, true)) {
      setup_.env.spawn(subscribe_again(subscription.mailbox));
    }
  }
}

Task<> LiveClient::subscribe_again(const redis::Mailbox* mailbox) {
  while (true) {
    co_await setup_.env.sleep(reconnect_after);
    auto wanted = find(mailbox);
    if (wanted == subscriptions_.end()) {
      co_return;
    }
    const redis::Answer answer = co_await ask_channels(redis::make_command("SUBSCRIBE", wanted->channel));
    wanted = find(mailbox);
    if (wanted != subscriptions_.end() && !answer.failed()) {
      wanted->is_being_renewed = false;
      co_return;
    }
  }
}

std::vector<LiveClient::Subscription>::iterator LiveClient::find(const redis::Mailbox* mailbox) {
  return std::find_if(subscriptions_.begin(), subscriptions_.end(),
                      [&](const Subscription& each) { return each.mailbox == mailbox; });
}

void LiveClient::deliver(const redis::ChannelMessage& message) {
  for (const Subscription& subscription : subscriptions_) {
    if (subscription.channel == message.channel) {
      subscription.mailbox->deliver(message.payload);
    }
  }
}

}  // namespace holdfast::live
