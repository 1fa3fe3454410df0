// Every fault holdfast can inject.
#pragma once

#include <span>
#include <string_view>

#include "faults/fault.h"

namespace holdfast {

std::span<const FaultEntry> all_faults();
// nullptr if there is none.
const FaultEntry* find_fault(std::string_view id);

}  // namespace holdfast
