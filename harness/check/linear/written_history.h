// For the tests: a history written out event by event. Event n, from 1, stands in line n and happened at n *
// 10 nanoseconds.
//
//     WrittenHistory().acquire(0).invoke(1, Action::acquire).release(0).granted(1)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/history/call.h"

namespace holdfast::linear {

class WrittenHistory {
 public:
  WrittenHistory& invoke(ClientNumber client, Action action, Mode mode = Mode::exclusive) {
    add(client, CallEventType::invoke, action);
    events_.back().mode = mode;
    return *this;
  }
  WrittenHistory& returns(ClientNumber client, Action action, CallEventType type = CallEventType::ok) {
    return add(client, type, action);
  }
  WrittenHistory& granted(ClientNumber client, std::optional<std::int64_t> token = {}) {
    add(client, CallEventType::ok, Action::acquire);
    events_.back().token = token;
    return *this;
  }
  WrittenHistory& ended(ClientNumber client) { return add(client, CallEventType::ended, Action::acquire); }
  WrittenHistory& asked(ClientNumber client) { return add(client, CallEventType::asked, Action::acquire); }

  // Both events of a call.
  WrittenHistory& call(ClientNumber client, Action action, CallEventType type = CallEventType::ok) {
    return invoke(client, action).returns(client, action, type);
  }
  WrittenHistory& acquire(ClientNumber client, std::optional<std::int64_t> token = {}) {
    return invoke(client, Action::acquire).granted(client, token);
  }
  WrittenHistory& acquire_shared(ClientNumber client, std::optional<std::int64_t> token = {}) {
    return invoke(client, Action::acquire, Mode::shared).granted(client, token);
  }
  WrittenHistory& release(ClientNumber client, CallEventType type = CallEventType::ok) {
    return call(client, Action::release, type);
  }

  // Of the last event.
  WrittenHistory& without_time() {
    events_.back().time = no_time;
    return *this;
  }
  WrittenHistory& refused() {
    events_.back().refused = true;
    return *this;
  }

  const std::vector<CallEvent>& events() const { return events_; }

 private:
  WrittenHistory& add(ClientNumber client, CallEventType type, Action action) {
    CallEvent event;
    event.type = type;
    event.action = action;
    event.client = client;
    event.line = events_.size() + 1;
    event.time = static_cast<std::int64_t>(event.line) * 10;
    events_.push_back(event);
    return *this;
  }

  std::vector<CallEvent> events_;
};

}  // namespace holdfast::linear
