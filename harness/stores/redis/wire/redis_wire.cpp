#include "harness/stores/redis/wire/redis_wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/kernel/require.h"
#include "harness/machine/process/live_error.h"
#include "harness/stores/redis/request.h"
#include "harness/text/text_width.h"

namespace holdfast::live {
namespace {

constexpr std::size_t longest_name = 64;
constexpr std::size_t longest_text = 4096;
constexpr std::size_t most_unanswered_commands = 10'000;

// A handshake, a sign of life, a question who is there: nothing that a lock does.
bool is_noise(std::string_view name) {
  return name == "AUTH" || name == "HELLO" || name == "CLIENT" || name == "PING" || name == "INFO";
}

bool is_about_channels(std::string_view name) {
  return name.ends_with("SUBSCRIBE");  // P, S, UN, PUN, SUN
}

std::string in_capitals(std::string_view name) {
  std::string capitals(name);
  std::ranges::transform(capitals, capitals.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return capitals;
}

std::string bounded(std::string text) {
  if (text.size() > longest_text) {
    text = shortened(text, longest_text);
  }
  return text;
}

constexpr std::int64_t most_subscriptions = 1'000'000;

// A message of a channel, or of a pattern: ["pmessage", pattern, channel, payload].
bool is_of_a_channel(const redis::Reply& reply) {
  return is_push(reply) || (reply.kind == redis::Reply::Kind::array &&
                            ((reply.elements.size() == 4 && reply.elements.front().is_bulk("pmessage")) ||
                             (reply.elements.size() == 3 && reply.elements.front().is_bulk("smessage"))));
}

// Where subscriptions are counted of what a command or its confirmation names: psubscribe, sunsubscribe …
std::size_t kind_of_subscription(std::string_view name) {
  const char first = name.empty() ? ' ' : name.front();
  const bool is_of_shards = (first == 's' || first == 'S') && name != "subscribe" && name != "SUBSCRIBE";
  return first == 'p' || first == 'P' ? 1 : is_of_shards ? 2 : 0;
}

// For each channel one. Of none in particular, of all, and how many these are is known when it comes to it.
std::size_t confirmations_of(const redis::Command& command, std::string_view name) {
  return is_about_channels(name) ? command.size() - 1 : 1;
}

bool is_confirmation(const redis::Reply& reply) {
  return reply.kind == redis::Reply::Kind::array && reply.elements.size() == 3 &&
         reply.elements[0].kind == redis::Reply::Kind::bulk &&
         reply.elements[0].text.ends_with("subscribe") &&
         reply.elements[2].kind == redis::Reply::Kind::integer && reply.elements[2].number >= 0 &&
         reply.elements[2].number <= most_subscriptions;
}

}  // namespace

RedisWire::RedisWire(RedisWireOptions options)
    : options_(std::move(options)), awaits_greeting_(!options_.password.empty()) {}

std::string RedisWire::greeting() const {
  return redis_greeting(options_.password);
}

std::optional<WireMessage> RedisWire::feed(Direction direction, std::string_view bytes) {
  const std::optional<std::size_t> length = scanners_[static_cast<std::size_t>(direction)].feed(bytes);
  if (!length) {
    return std::nullopt;
  }
  const std::string_view message = bytes.substr(0, *length);
  WireMessage found = direction == Direction::to_server ? request(message)
                                                        : answer(resp_reply(message), message.front() == '>');
  found.length = *length;
  return found;
}

WireMessage RedisWire::request(std::string_view message) {
  std::optional<redis::Command> command = resp_command(message);
  if (!command) {
    throw LiveError("what a client sent is no command of Redis.");
  }
  if (command->empty()) {
    return {};  // the server passes over it in silence
  }
  if (waiting_.size() >= most_unanswered_commands) {
    throw LiveError(fmt::format("a client sent more than {} commands that nobody answers.", waiting_.size()));
  }
  const redis::Request asked{*std::move(command), 0};
  if (options_.heard) {
    options_.heard(asked.command);
  }
  const std::string name = in_capitals(call_name(asked).substr(0, longest_name));
  const MessageKind kind = is_noise(name) ? MessageKind::noise : MessageKind::request;
  waiting_.push_back({kind, name, bounded(to_text(asked)), confirmations_of(asked.command, name)});
  return {.kind = kind, .name = name, .text = waiting_.back().text};
}

// The server tells the sum of channels and patterns; those of shards it counts by themselves.
void RedisWire::count_subscriptions(const redis::Reply& confirmation) {
  const std::size_t kind = kind_of_subscription(confirmation.elements[0].text);
  const std::int64_t others = kind == 2 ? 0 : subscriptions_[1 - kind];
  subscriptions_[kind] = std::max<std::int64_t>(0, confirmation.elements[2].number - others);
}

WireMessage RedisWire::answer(const redis::Reply& reply, bool says_it_is_a_push) {
  const bool is_subscribed = std::ranges::any_of(subscriptions_, [](std::int64_t each) { return each > 0; });
  if ((is_subscribed || says_it_is_a_push) && is_of_a_channel(reply)) {
    const std::size_t last = reply.elements.size() - 1;
    return {
        .kind = MessageKind::push, .name = reply.elements[last - 1].text, .text = reply.elements[last].text};
  }
  if (says_it_is_a_push && !is_confirmation(reply)) {
    return {.kind = MessageKind::push,
            .name = reply.elements.empty() ? "" : reply.elements.front().text,
            .text = bounded(to_text(reply))};
  }
  if (std::exchange(awaits_greeting_, false)) {
    return {.is_for_the_proxy = true};
  }
  return waiting_.empty() ? WireMessage() : answer_to_first(reply);
}

WireMessage RedisWire::answer_to_first(const redis::Reply& reply) {
  Asked& asked = waiting_.front();
  WireMessage message;
  if (!std::exchange(asked.is_answered, true)) {
    message = {.kind = asked.kind == MessageKind::request ? MessageKind::answer : MessageKind::noise,
               .name = asked.name,
               .text = bounded(to_text(reply)),
               .asked = asked.text};
  }
  const bool is_one_of_several = is_about_channels(asked.name) && is_confirmation(reply);
  if (asked.confirmations == 0) {
    const std::int64_t of_all = subscriptions_[kind_of_subscription(asked.name)];
    asked.confirmations = static_cast<std::size_t>(std::max<std::int64_t>(1, of_all));
  }
  if (is_one_of_several) {
    count_subscriptions(reply);
  } else if (asked.name == "RESET" && !reply.is_error()) {
    subscriptions_ = {};
  }
  if (reply.is_error() && reply.text.starts_with("MISCONF")) {
    message.trouble = fmt::format("cannot write to its disk, is it full? It says: {}", printable(reply.text));
  }
  if (!is_one_of_several || --asked.confirmations == 0) {
    waiting_.pop_front();
  }
  return message;
}

}  // namespace holdfast::live
