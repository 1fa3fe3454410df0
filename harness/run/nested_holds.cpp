#include "harness/run/nested_holds.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace holdfast {
namespace {

// A client in one mode.
struct Nesting {
  std::uint32_t depth = 0;
  bool is_within = false;  // the call that it makes now begins or ends no hold
};

}  // namespace

std::vector<CallEvent> with_nested_holds_as_one(const std::vector<CallEvent>& calls) {
  std::map<std::pair<ClientNumber, Mode>, Nesting> nestings;
  std::vector<CallEvent> outermost;
  for (const CallEvent& call : calls) {
    if (call.type == CallEventType::ended) {
      nestings.erase({call.client, Mode::exclusive});
      nestings.erase({call.client, Mode::shared});
    }
    const bool acquires = call.action == Action::acquire;
    if (call.type == CallEventType::ended || call.type == CallEventType::asked ||
        (!acquires && call.action != Action::release)) {
      outermost.push_back(call);
      continue;
    }
    Nesting& nesting = nestings[{call.client, call.mode}];
    if (call.type == CallEventType::invoke) {
      nesting.is_within = nesting.depth > (acquires ? 0U : 1U);
    }
    if (!nesting.is_within) {
      outermost.push_back(call);
    }
    const bool is_over = call.type != CallEventType::invoke;
    if (acquires) {
      nesting.depth += call.type == CallEventType::ok ? 1 : 0;
    } else if (is_over && call.type == CallEventType::fail) {
      nesting.depth = 0;  // the lock says that it is not held
    } else if (is_over && nesting.depth > 0) {
      --nesting.depth;
    }
  }
  return outermost;
}

std::vector<CallEvent> with_expired_holds_ended(const std::vector<CallEvent>& calls, Duration lease) {
  struct Asking {
    std::size_t invoked = 0;
    std::optional<std::int64_t> held_since;
  };
  std::map<std::pair<ClientNumber, Mode>, Asking> clients;
  std::set<std::size_t> ends;  // before these
  for (std::size_t index = 0; index < calls.size(); ++index) {
    const CallEvent& call = calls[index];
    if (call.type == CallEventType::ended) {
      clients.erase({call.client, Mode::exclusive});
      clients.erase({call.client, Mode::shared});
      continue;
    }
    if (call.type == CallEventType::asked ||
        (call.action != Action::acquire && call.action != Action::release)) {
      continue;
    }
    Asking& client = clients[{call.client, call.mode}];
    if (call.type == CallEventType::invoke) {
      client.invoked = index;
    } else if (call.action == Action::release) {
      client.held_since.reset();
    } else if (call.type == CallEventType::ok) {
      if (client.held_since && call.time - *client.held_since >= lease.count() / 2) {
        ends.insert(client.invoked);
      }
      client.held_since = call.time;
    }
  }
  std::vector<CallEvent> result;
  for (std::size_t index = 0; index < calls.size(); ++index) {
    if (ends.contains(index)) {
      CallEvent end = calls[index];
      end.type = CallEventType::ended;
      result.push_back(end);
    }
    result.push_back(calls[index]);
  }
  return result;
}

}  // namespace holdfast
