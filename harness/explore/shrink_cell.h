// The worst run of a cell of the matrix, made small.
#pragma once

#include <optional>

#include "harness/explore/shrink.h"
#include "harness/explore/sweep.h"

namespace holdfast {

// Nothing if the cell is safe or was not run.
std::optional<ShrunkFinding> shrink_cell(Simulation& simulation, const Scenario& family,
                                         const LockEntry& lock, const Cell& cell);

}  // namespace holdfast
