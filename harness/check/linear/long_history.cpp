#include "harness/check/linear/long_history.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>
#include <numeric>
#include <string_view>

#include "harness/kernel/fingerprint.h"

namespace holdfast::linear {
namespace {

constexpr std::uint64_t longest_pause_ns = 100'000;
constexpr std::uint64_t operations_a_round = 2;  // acquire and release

CallEvent event_of(ClientNumber client, CallEventType type, Action action) {
  CallEvent event;
  event.type = type;
  event.action = action;
  event.client = client;
  return event;
}

}  // namespace

LongHistory::LongHistory(const LongHistoryOptions& options) : options_(options), random_(mix(options.seed)) {
  idle_.resize(options.clients);
  std::iota(idle_.begin(), idle_.end(), ClientNumber{0});
}

bool LongHistory::next(CallEvent& event) {
  using Step = bool (LongHistory::*)(CallEvent&);
  constexpr Step steps[] = {&LongHistory::ask,     &LongHistory::answer,
                            &LongHistory::release, &LongHistory::finish_release,
                            &LongHistory::die,     &LongHistory::refuse};
  const std::uint64_t count = std::size(steps) - (options_.polling ? 0 : 1);
  const std::uint64_t first = draw(count);
  for (std::uint64_t index = 0; index < count; ++index) {
    if ((this->*steps[(first + index) % count])(event)) {
      time_ += static_cast<std::int64_t>(1 + draw(longest_pause_ns));
      event.time = time_;
      event.line = ++events_;
      return true;
    }
  }
  return false;
}

bool LongHistory::ask(CallEvent& event) {
  if (idle_.empty() || planned_ + operations_a_round > options_.operations) {
    return false;
  }
  planned_ += operations_a_round;
  waiting_.push_back(take_any(idle_));
  event = event_of(waiting_.back(), CallEventType::invoke, asking());
  return true;
}

bool LongHistory::answer(CallEvent& event) {
  if (waiting_.empty() || (holder_ && !violates())) {
    return false;
  }
  const bool violation = holder_.has_value();
  event = event_of(take_any(waiting_), CallEventType::ok, asking());
  if (!violation && outcome_is_lost()) {
    lose_answer(event);
    return true;
  }
  if (violation) {
    violation_ = events_;
  }
  grant(event);
  holding_.push_back(event.client);
  return true;
}

bool LongHistory::violates() const {
  return options_.violation_at && !violation_ &&
         planned_ >= options_.operations / 1000 * *options_.violation_at && !holding_.empty() &&
         holding_.back() == *holder_;
}

void LongHistory::grant(CallEvent& event) {
  holder_ = event.client;
  ++token_;
  if (options_.tokens) {
    event.token = token_;
  }
}

void LongHistory::lose_answer(CallEvent& event) {
  const std::uint64_t fate = draw(3);
  if (fate != 0) {
    grant(event);
    event.token.reset();
  }
  event.type = CallEventType::info;
  if (fate == 1) {
    holding_.push_back(event.client);
    return;
  }
  --planned_;  // there is no release
  (fate == 0 ? idle_ : dying_).push_back(event.client);
}

bool LongHistory::release(CallEvent& event) {
  if (holding_.empty()) {
    return false;
  }
  const ClientNumber client = take_any(holding_);
  if (holder_ == client) {
    holder_.reset();
  }
  releasing_.push_back(client);
  event = event_of(client, CallEventType::invoke, Action::release);
  return true;
}

bool LongHistory::finish_release(CallEvent& event) {
  if (releasing_.empty()) {
    return false;
  }
  const ClientNumber client = take_any(releasing_);
  idle_.push_back(client);
  event = event_of(client, outcome_is_lost() ? CallEventType::info : CallEventType::ok, Action::release);
  return true;
}

bool LongHistory::die(CallEvent& event) {
  if (dying_.empty()) {
    return false;
  }
  const ClientNumber client = take_any(dying_);
  if (holder_ == client) {
    holder_.reset();
  }
  idle_.push_back(client);
  event = event_of(client, CallEventType::ended, Action::acquire);
  return true;
}

// Somebody holds the lock now, at the latest instant at which the attempt can look.
bool LongHistory::refuse(CallEvent& event) {
  if (waiting_.empty() || !holder_) {
    return false;
  }
  event = event_of(take_any(waiting_), CallEventType::ok, asking());
  event.refused = true;
  --planned_;  // there is no release
  idle_.push_back(event.client);
  if (outcome_is_lost()) {
    event.refused = false;
    event.type = CallEventType::info;
  }
  return true;
}

// splitmix64; see harness/kernel/random_strategy.h for the reduction to a range.
std::uint64_t LongHistory::draw(std::uint64_t range) {
  random_ += 0x9e3779b97f4a7c15ULL;
  return ((mix(random_) >> 32U) * range) >> 32U;
}

ClientNumber LongHistory::take_any(Clients& clients) {
  ClientNumber& place = clients[draw(clients.size())];
  const ClientNumber client = place;
  place = clients.back();
  clients.pop_back();
  return client;
}

void append_jsonl(std::string& text, const CallEvent& event) {
  constexpr std::int64_t wall_at_start = 1'767'225'600'000'000'000;
  constexpr std::int64_t monotonic_at_start = 3'600'000'000'000;
  constexpr std::string_view types[] = {"invoke", "ok", "fail", "info", "died"};
  const auto end = std::back_inserter(text);
  fmt::format_to(end, FMT_COMPILE(R"({{"time":{},"type":"{}","process":"c{}","thread":1)"), event.time,
                 types[static_cast<std::size_t>(event.type)], event.client + 1);
  if (event.type != CallEventType::ended) {
    fmt::format_to(end, FMT_COMPILE(R"(,"operation":"{}","key":"lock")"),
                   event.action == Action::release       ? "release"
                   : event.action == Action::try_acquire ? "try-acquire"
                                                         : "acquire");
  }
  if (event.refused) {
    text += R"(,"refused":true)";
  }
  if (event.token) {
    fmt::format_to(end, FMT_COMPILE(R"(,"token":{})"), *event.token);
  }
  fmt::format_to(end, FMT_COMPILE(R"(,"wall":{},"monotonic":{}}})"), wall_at_start + event.time,
                 monotonic_at_start + event.time);
  text += '\n';
}

}  // namespace holdfast::linear
