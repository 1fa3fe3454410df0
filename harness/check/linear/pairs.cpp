#include "harness/check/linear/pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace holdfast::linear {
namespace {

// What a client may hold of a key.
struct Holds {
  std::int64_t granted = 0;          // less what was released, or perhaps was
  std::int64_t perhaps = 0;          // acquires with outcome info, less releases when nothing was granted
  std::vector<std::size_t> unknown;  // where all of these acquires stand among the key's calls
  Mode mode = Mode::exclusive;
};

struct OpenCall {
  Call call;
  bool ended = false;  // its client ended meanwhile: its return may never come
};

std::string place(const CallEvent& event, Position position) {
  return event.line != 0 ? fmt::format("line {}", event.line) : fmt::format("event {}", position);
}

class Pairing {
 public:
  explicit Pairing(EndedLetsGo ended) : ended_(ended) {}

  // What is wrong with the event, or nothing.
  std::string add(const CallEvent& event, Position position) {
    switch (event.type) {
      case CallEventType::invoke:
        return invoke(event, position);
      case CallEventType::ended:
        end(event, position);
        return {};
      default:
        return finish(event, position);
    }
  }

  std::vector<KeyCalls> result() {
    for (auto& [client, open] : open_) {
      keep(open.call);
    }
    open_.clear();
    std::vector<KeyCalls> keys;
    for (auto& [key, calls] : calls_) {
      std::ranges::stable_sort(calls, {}, &Call::invoked);
      keys.push_back({key, std::move(calls)});
    }
    return keys;
  }

 private:
  std::string invoke(const CallEvent& event, Position position) {
    const auto found = open_.find(event.client);
    if (found != open_.end()) {
      if (!found->second.ended) {
        const Call& before = found->second.call;
        return fmt::format("{}: client {} invokes {} while its {} is still open", place(event, position),
                           event.client, to_text(event.action), to_text(before.action));
      }
      keep(found->second.call);
      open_.erase(found);
    }
    Call call;
    call.action = event.action;
    call.mode = event.mode;
    call.client = event.client;
    call.key = event.key;
    call.token = event.token;
    call.value = event.value;
    call.expected = event.expected;
    call.invoked = position;
    call.invoke_time = event.time;
    call.invoke_line = event.line;
    open_.emplace(event.client, OpenCall{call});
    return {};
  }

  std::string finish(const CallEvent& event, Position position) {
    const auto found = open_.find(event.client);
    if (found == open_.end()) {
      return fmt::format("{}: a return for client {}, which has no call open", place(event, position),
                         event.client);
    }
    Call call = found->second.call;
    if (event.action != call.action || event.key != call.key) {
      return fmt::format("{}: client {} returns from {} of key {}, but its open call is {} of key {}",
                         place(event, position), event.client, to_text(event.action), event.key,
                         to_text(call.action), call.key);
    }
    open_.erase(found);
    if (event.type == CallEventType::fail) {
      return {};
    }
    call.return_time = event.time;
    call.return_line = event.line;
    if (event.type == CallEventType::ok) {
      call.outcome = Outcome::ok;
      call.refused = event.refused;
      call.returned = position;
      take_answer(call, event);
    }
    keep(call);
    return {};
  }

  // A granted token and a read value are known from the return only; the rest was said on invocation, but
  // some recorders say it on return.
  static void take_answer(Call& call, const CallEvent& event) {
    if (is_acquire(call.action) || !call.token) {
      call.token = event.token;
    }
    if (call.action == Action::read || !call.value) {
      call.value = event.value;
    }
    if (!call.expected) {
      call.expected = event.expected;
    }
  }

  void keep(const Call& call) {
    const bool is_let_go_already = call.conditional && call.outcome == Outcome::info;
    if (!(call.outcome == Outcome::ok && call.refused) && !is_let_go_already) {
      count(call);
    }
    calls_[call.key].push_back(call);
  }

  // Before the call is among the others.
  void count(const Call& call) {
    if (!is_lock_action(call.action)) {
      return;
    }
    Holds& holds = holds_[{call.client, call.key}];
    if (call.action == Action::release) {
      if (holds.granted == 0 && ended_ == EndedLetsGo::if_it_happened && holds.perhaps > 0) {
        --holds.perhaps;
      }
      holds.granted = std::max<std::int64_t>(holds.granted - 1, 0);
      return;
    }
    holds.mode = call.mode;
    if (call.outcome == Outcome::ok) {
      ++holds.granted;
    } else {
      ++holds.perhaps;
      holds.unknown.push_back(calls_[call.key].size());
    }
  }

  void end(const CallEvent& event, Position position) {
    const auto found = open_.find(event.client);
    const bool acquiring =
        found != open_.end() && is_acquire(found->second.call.action) && !found->second.ended;
    if (found != open_.end()) {
      found->second.ended = true;
    }
    const auto first = holds_.lower_bound({event.client, 0});
    if (acquiring) {
      Call& open = found->second.call;
      make_conditional(open);
      let_go(open, 1, ended_, event, position);
    }
    for (auto each = first; each != holds_.end() && each->first.first == event.client; ++each) {
      Holds& holds = each->second;
      Call like;
      like.client = event.client;
      like.key = each->first.second;
      like.mode = holds.mode;
      for (const std::size_t index : holds.unknown) {
        make_conditional(calls_[like.key][index]);
      }
      let_go(like, holds.granted, EndedLetsGo::plainly, event, position);
      let_go(like, holds.perhaps, ended_, event, position);
      holds.granted = 0;
      holds.perhaps = 0;
      holds.unknown.clear();
    }
    ++deaths_[event.client];
  }

  void make_conditional(Call& acquire) {
    if (ended_ == EndedLetsGo::if_it_happened) {
      acquire.conditional = true;
      acquire.value = deaths_[acquire.client];
    }
  }

  void let_go(const Call& like, std::int64_t count, EndedLetsGo how, const CallEvent& event,
              Position position) {
    Call release;
    release.action = Action::release;
    release.mode = like.mode;
    release.client = like.client;
    release.key = like.key;
    release.invoked = position;
    release.invoke_time = event.time;
    release.invoke_line = event.line;
    if (how == EndedLetsGo::if_it_happened) {
      make_conditional(release);
    }
    for (std::int64_t each = 0; each < count; ++each) {
      calls_[like.key].push_back(release);
    }
  }

  EndedLetsGo ended_;
  std::map<ClientNumber, OpenCall> open_;
  std::map<ClientNumber, std::int64_t> deaths_;
  std::map<std::pair<ClientNumber, KeyNumber>, Holds> holds_;
  std::map<KeyNumber, std::vector<Call>> calls_;
};

}  // namespace

EndedLetsGo ended_lets_go(const AnyModel& model) {
  return with_model(model, [](const auto& each) {
    return each.looks_at.client ? EndedLetsGo::plainly : EndedLetsGo::if_it_happened;
  });
}

std::variant<std::vector<KeyCalls>, std::string> pair_calls(std::span<const CallEvent> events,
                                                            EndedLetsGo ended) {
  Pairing pairing(ended);
  for (Position position = 0; position < events.size(); ++position) {
    if (std::string problem = pairing.add(events[position], position); !problem.empty()) {
      return problem;
    }
  }
  return pairing.result();
}

std::string_view to_text(Action action) {
  switch (action) {
    case Action::acquire:
      return "acquire";
    case Action::try_acquire:
      return "try_acquire";
    case Action::release:
      return "release";
    case Action::read:
      return "read";
    case Action::write:
      return "write";
    case Action::compare_and_set:
      return "compare_and_set";
    case Action::add:
      return "add";
    case Action::count_down:
      return "count_down";
    case Action::await_zero:
      return "await_zero";
  }
  return "?";
}

}  // namespace holdfast::linear
