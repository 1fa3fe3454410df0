// What an exploration came to, for a person.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/cli/terminal/terminal.h"
#include "harness/explore/exploration/exploration.h"

namespace holdfast::cli {

// What was run just now, not taken from files.
struct ExplorationPace {
  std::uint64_t runs = 0;
  double seconds = 0;
};

std::string exploration_text(const std::vector<ExploredTarget>& targets, const ExplorationPace& pace,
                             const Terminal& terminal);

}  // namespace holdfast::cli
