// The fault that only porters know.
#pragma once

#include "faults/fault.h"

namespace holdfast::porter {

// porter-evicts: an administrator closes connections, of whoever holds a lock or of whoever waits for one.
const FaultEntry& eviction();

}  // namespace holdfast::porter
