// The JSON Schema of scenario files, scenarios/scenario.schema.json, for editors and other tools.
//
// What faults and stores read is taken from their rows. load.h checks more.
#pragma once

#include <string>

namespace holdfast {

std::string scenario_schema_text();

}  // namespace holdfast
