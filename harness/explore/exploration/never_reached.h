// What no run of an exploration came to, though the locks could have.
#pragma once

#include <string_view>
#include <vector>

#include "harness/explore/exploration/exploration.h"

namespace holdfast {

// In words. A lock that cannot come to a mark at all (harness/kernel/marks.h) is not asked about it.
std::vector<std::string_view> never_reached(const std::vector<ExploredTarget>& targets);

}  // namespace holdfast
