// What was not tried for the letter of a cell: a letter says only what was tried.
#pragma once

#include <string>
#include <vector>

#include "harness/explore/sweep.h"

namespace holdfast {

// Sentences without an end, for people; none for a cell that was not run.
std::vector<std::string> limits_of(const Cell& cell, const Scenario& family, SweepDepth depth);

}  // namespace holdfast
