// The value of an option, read as its row says.
#pragma once

#include <optional>

#include "harness/scenario/file/load_field.h"
#include "harness/scenario/option.h"

namespace holdfast {

// `ttl`: as in Field::duration. Throws ScenarioError. Not for rows about the process that a fault strikes,
// which takes the scenario to read (load_faults.h).
OptionValue read_option(const Field& field, const Option& option, std::optional<Duration> ttl);

}  // namespace holdfast
