#include "harness/check/linear/passes.h"

#include <array>

namespace holdfast::linear {
namespace {

// What is said of one object: of a lock, a latch, or something stored.
int family_of(Action action) {
  switch (action) {
    case Action::acquire:
    case Action::try_acquire:
    case Action::release:
      return 0;
    case Action::count_down:
    case Action::await_zero:
      return 1;
    default:
      return 2;
  }
}

bool is_like(const AnyModel& model, Action action) {
  constexpr std::array families = {Action::acquire, Action::count_down, Action::read};
  return knows(model, families[static_cast<std::size_t>(family_of(action))]);
}

// The event as it is to be judged.
CallEvent judged(const CallEvent& read, const CheckOptions& options) {
  CallEvent event = read;
  if (options.nil_is_unknown && event.action == Action::read && event.type == CallEventType::ok &&
      !event.value && !event.refused) {
    event.type = CallEventType::fail;  // nothing is learned from it
  }
  return event;
}

}  // namespace

void FirstPass::on_call(const CallEvent& read) {
  CallEvent event = judged(read, options_);
  const Position position = position_++;
  observe_time(event);
  const ClientNumber client = event.client;
  if (event.type == CallEventType::ended) {
    for (KeyInProgress& key : keys_) {
      if (const std::optional<ClientNumber> number = key.clients.find(client)) {
        event.client = *number;
        observe(key, event, position);
      }
    }
    return;
  }
  while (event.key >= keys_.size()) {
    keys_.emplace_back(options_);
  }
  KeyInProgress& key = keys_[event.key];
  if (event.type == CallEventType::asked) {
    if (const std::optional<ClientNumber> number = key.clients.find(client)) {
      event.client = *number;
      key.watch.observe(event, position);
    }
    return;
  }
  key.actions |= 1U << static_cast<unsigned>(event.action);
  if (!knows(options_.model, event.action)) {
    if (!key.foreign && is_like(options_.model, event.action)) {
      key.foreign = event.action;
      key.foreign_line = event.line;
    }
    return;
  }
  key.calls += event.type == CallEventType::invoke ? 1 : 0;
  event.client = key.clients.number_of(client);
  observe(key, event, position);
}

void FirstPass::observe_time(const CallEvent& event) {
  if (event.time == no_time) {
    return;
  }
  if (last_time_ != no_time && event.time < last_time_) {
    if (times.count++ == 0) {
      times.line = event.line;
      times.line_before = last_line_;
      times.by = last_time_ - event.time;
    }
  }
  last_time_ = event.time;
  last_line_ = event.line;
}

void FirstPass::finish() {
  for (KeyInProgress& key : keys_) {
    for (FastCheck* check : {key.standard.get(), key.failed_ends.get(), key.unknown_does_nothing.get()}) {
      if (check != nullptr) {
        check->finish();
      }
    }
    key.watch.finish();
  }
}

void FirstPass::observe(KeyInProgress& key, const CallEvent& event, Position position) {
  key.watch.observe(event, position);
  if (key.standard == nullptr) {
    return;
  }
  if (event.action == Action::release && !key.standard->decided()) {
    if (event.type == CallEventType::fail && key.failed_ends == nullptr) {
      key.failed_ends = key.standard->clone();
      key.failed_ends->set_reading({ReleaseReading::perhaps, ReleaseReading::perhaps});
    } else if (event.type == CallEventType::info && key.unknown_does_nothing == nullptr) {
      key.unknown_does_nothing = key.standard->clone();
      key.unknown_does_nothing->set_reading({ReleaseReading::nothing, ReleaseReading::nothing});
    }
  }
  key.standard->observe(event, position);
  if (key.failed_ends != nullptr) {
    key.failed_ends->observe(event, position);
  }
  if (key.unknown_does_nothing != nullptr) {
    key.unknown_does_nothing->observe(event, position);
  }
}

void LaterPasses::on_call(const CallEvent& read) {
  constexpr Position events_a_question = 4096;
  ++position_;
  is_stopped =
      is_stopped || (position_ % events_a_question == 0 && options_.limits.stop && options_.limits.stop());
  if (is_stopped || read.type == CallEventType::asked) {
    return;
  }
  const CallEvent event = judged(read, options_);
  if (event.type == CallEventType::ended) {
    for (auto& [number, key] : keys) {
      observe(key, event);
    }
  } else if (knows(options_.model, event.action)) {
    if (const auto key = keys.find(event.key); key != keys.end()) {
      observe(key->second, event);
    }
  }
}

void LaterPasses::observe(LaterPass& key, const CallEvent& event) {
  const std::optional<ClientNumber> number = key.clients->find(event.client);
  if (!number) {
    return;
  }
  if (key.standard == nullptr) {
    if (kept_ * sizeof(CallEvent) >= options_.limits.memory_bytes) {
      is_full = true;
      return;
    }
    ++kept_;
    key.events.push_back(event);
    return;
  }
  CallEvent own = event;
  own.client = *number;
  for (StreamCheck* check : {key.standard.get(), key.failed_ends.get(), key.unknown_does_nothing.get()}) {
    if (check != nullptr) {
      check->observe(own, position_);
    }
  }
}

}  // namespace holdfast::linear
