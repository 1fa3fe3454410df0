// Holds within holds, for models that know none.
#pragma once

#include <vector>

#include "harness/history/call.h"
#include "harness/kernel/time.h"

namespace holdfast {

// Of a lock that a client may enter again: what it acquires in a mode that it holds already, and releases
// before it has released as often, is left out. What stays is each hold from its first acquire to its last
// release.
std::vector<CallEvent> with_nested_holds_as_one(const std::vector<CallEvent>& calls);

// Of a lock that a client cannot enter again but after its lease: a client that asks for what it holds, and
// is granted it so late that the lease can have ended, counts on the old hold no more when it asks.
// (HoldTracker has the same rule.)
std::vector<CallEvent> with_expired_holds_ended(const std::vector<CallEvent>& calls, Duration lease);

}  // namespace holdfast
