// Options in words, for tables, stories and documents.
#pragma once

#include <string>

#include "harness/scenario/option.h"

namespace holdfast {

// "1.5 ttl", "7", "held": as a file would say it, without quotes.
std::string value_text(const OptionValue& value);

// What may be said: "wall, monotonic or both", "1 to 10000", "a duration".
std::string values_text(const Option& option);

}  // namespace holdfast
