// What scenarios may say of faults and of servers, from the rows: as tables, as JSON, and as the tables of
// scenarios/README.md.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/cli/terminal/terminal.h"

namespace holdfast::cli {

std::string faults_table(const Terminal& terminal);
std::string faults_markdown();
nlohmann::ordered_json faults_json();

// Of each store's servers.
std::string topology_table(const Terminal& terminal);
std::string topology_markdown();
nlohmann::ordered_json topology_json();

}  // namespace holdfast::cli
