#include "harness/live/control/doors.h"

#include <fmt/format.h>

#include <utility>

#include "harness/stores/redis/request.h"
#include "harness/stores/redis/wire/resp.h"
#include "harness/stores/storage/storage_wire.h"
#include "harness/text/text_width.h"

namespace holdfast::live {
namespace {

class Words final : public CallText {
 public:
  Words(std::string request, std::string reply) : request_(std::move(request)), reply_(std::move(reply)) {}
  std::string request_text() const override { return request_; }
  std::string reply_text() const override { return reply_; }

 private:
  std::string request_;
  std::string reply_;
};

}  // namespace

std::optional<std::size_t> any_bytes(std::string_view bytes) {
  return bytes.empty() ? std::nullopt : std::optional(bytes.size());
}

Door::Door(boost::asio::io_context& context, const DoorOwner& owner, Target target, std::string greeting,
           DoorObserver& observer)
    : owner_(owner),
      observer_(observer),
      proxy_(context, {.framing = owner.server == storage_server ? &storage_message_length : &resp_length,
                       .target = std::move(target),
                       .greeting = std::move(greeting),
                       .watch = [this](Direction direction, std::uint32_t connection,
                                       std::string_view message) { watch(direction, connection, message); },
                       .complain = [this](const std::string& sentence) { observer_.on_trouble(sentence); },
                       .unreachable =
                           [this](const boost::system::error_code& problem) {
                             observer_.on_unreachable(owner_, problem);
                           }}) {}

void Door::watch(Direction direction, std::uint32_t connection, std::string_view message) {
  if (direction == Direction::to_server) {
    request_passes(connection, message);
  } else {
    reply_passes(connection, message);
  }
}

void Door::request_passes(std::uint32_t connection, std::string_view message) {
  Asked asked;
  if (owner_.server == storage_server) {
    const StorageRequest request = storage_request(message);
    asked = {std::string(call_name(request)), to_text(request)};
  } else {
    const redis::Request request{resp_command(message), 0};
    observer_.on_words(request.command);
    asked = {std::string(call_name(request)), to_text(request)};
  }
  asked_[connection].push_back(asked);
  observer_.on_call(owner_, Phase::arrived, asked.name, Words(asked.text, ""));
}

void Door::reply_passes(std::uint32_t connection, std::string_view message) {
  const bool is_storage = owner_.server == storage_server;
  const redis::Reply reply = is_storage ? redis::Reply() : resp_reply(message);
  std::deque<Asked>& waiting = asked_[connection];
  if (is_push(reply) || waiting.empty()) {
    return;
  }
  if (reply.is_error() && reply.text.starts_with("MISCONF")) {
    observer_.on_trouble(fmt::format("redis server {} cannot write to its disk, is it full? It says: {}",
                                     owner_.server + 1, printable(reply.text)));
  }
  const Asked asked = std::move(waiting.front());
  waiting.pop_front();
  const std::string text = is_storage ? to_text(storage_response(message)) : to_text(reply);
  observer_.on_call(owner_, Phase::applied, asked.name, Words(asked.text, text));
}

void follow(Proxy& proxy, Direction direction, const Network::LinkState& before,
            const Network::LinkState& now) {
  for (std::uint32_t count = before.holds; count < now.holds; ++count) {
    proxy.hold(direction);
  }
  for (std::uint32_t count = now.holds; count < before.holds; ++count) {
    proxy.let_go(direction);
  }
  for (std::uint32_t count = before.cuts; count < now.cuts; ++count) {
    proxy.cut(direction);
  }
  for (std::uint32_t count = now.cuts; count < before.cuts; ++count) {
    proxy.mend(direction);
  }
  if (now.extra != before.extra) {
    proxy.add_delay(direction, now.extra - before.extra);
  }
}

void Door::follow(Direction direction, const Network::LinkState& state) {
  Network::LinkState& before = followed_[static_cast<std::size_t>(direction)];
  live::follow(proxy_, direction, before, state);
  before = state;
}

void Door::order_next(Direction direction, const Network::LinkState& state) {
  for (std::uint32_t count = 0; count < state.lose_next; ++count) {
    proxy_.lose_next(direction);
  }
  if (state.delay_next > Duration::zero()) {
    proxy_.delay_next(direction, state.delay_next);
  }
}

}  // namespace holdfast::live
