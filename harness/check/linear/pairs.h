// From events to calls: each invoke with its return, split by key.
//
// Keys are independent objects, so each may be checked alone (Herlihy & Wing: linearizability is local).
//
// - A call that failed is left out: nothing happened.
// - An info call, and one whose client never heard back, has `returned == never_returned`.
// - `ended` says that from now on the service may let go of what its client holds. For every hold that the
//   client may then have, on any key, an info release is put in at that position: nobody waits for it, and it
//   may take effect at any later time or never. A call that is open then may still return; if it does not,
//   it is info, and the client's next invoke is no error. Where anyone may release, the release of an acquire
//   that nobody knows of is conditional (Call::conditional), lest it free somebody else's hold.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "harness/check/linear/models.h"
#include "harness/history/call.h"

namespace holdfast::linear {

// How an `ended` lets go of what an acquire took whose outcome nobody knows.
enum class EndedLetsGo : std::uint8_t {
  if_it_happened,  // by a conditional release: anyone may release
  plainly,         // by a release that only this client's hold answers to
};
EndedLetsGo ended_lets_go(const AnyModel& model);

struct KeyCalls {
  KeyNumber key = 0;
  std::vector<Call> calls;  // by invocation
};

// By key number; keys without calls are left out. Or one sentence that says which event cannot be.
std::variant<std::vector<KeyCalls>, std::string> pair_calls(std::span<const CallEvent> events,
                                                            EndedLetsGo ended);

// "compare_and_set"
std::string_view to_text(Action action);

}  // namespace holdfast::linear
