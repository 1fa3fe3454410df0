// What an exploration came to, for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/explore/exploration/exploration.h"

namespace holdfast {

// Which of the two commands of a finding is written.
enum class CommandPaths : std::uint8_t { as_given, in_directory };
std::string exploration_json(const std::vector<ExploredTarget>& targets, CommandPaths paths);

}  // namespace holdfast
