// Writes a scenario as the JSON that load.h reads: what is as it would be anyway is left out.
#pragma once

#include <string>

#include "harness/scenario/scenario.h"

namespace holdfast {

std::string to_json_text(const Scenario& scenario);

}  // namespace holdfast
