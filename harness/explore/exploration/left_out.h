// What a strategy that made every run it has did not look at all the same: its "all of them" is of what it
// turns.
#pragma once

#include <string>
#include <vector>

#include "harness/explore/exploration/exploration.h"

namespace holdfast {

// In words that go behind "all of them but for". None of a strategy that has no end.
std::vector<std::string> left_out(const PieceName& name);

}  // namespace holdfast
