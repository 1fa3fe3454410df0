#include "harness/run/nested_holds.h"

#include <cstdint>
#include <map>
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

}  // namespace holdfast
