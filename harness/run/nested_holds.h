// Holds within holds, for models that know none.
#pragma once

#include <vector>

#include "harness/history/call.h"

namespace holdfast {

// Of a lock that a client may enter again: what it acquires in a mode that it holds already, and releases
// before it has released as often, is left out. What stays is each hold from its first acquire to its last
// release.
std::vector<CallEvent> with_nested_holds_as_one(const std::vector<CallEvent>& calls);

}  // namespace holdfast
