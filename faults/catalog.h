// Every fault holdfast can inject: those of faults/, then those of each store.
#pragma once

#include <span>
#include <string_view>

#include "faults/fault.h"

namespace holdfast {

std::span<const FaultEntry> all_faults();
// nullptr if there is none.
const FaultEntry* find_fault(std::string_view id);

// Of a fault that is known to be there, as in every scenario that was loaded: its rows.
std::span<const Option> options_of(const FaultSpec& spec);
// For faults that are made in code. The fault has a row of that name.
void set_option(FaultSpec& spec, std::string_view name, OptionValue value);

}  // namespace holdfast
