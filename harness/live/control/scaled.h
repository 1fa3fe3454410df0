// A scenario at the pace of a live run: every duration divided, and so every story the same but shorter.
#pragma once

#include <cstdint>

#include "harness/run/plan.h"

namespace holdfast::live {

struct Scaled {
  Scenario scenario;
  RunPlan plan;
  std::int64_t speed_up = 1;
};

// The servers' own replication takes as long as it does: its lag is not scaled.
Scaled scale(const Scenario& scenario, const LockEntry& lock, std::int64_t speed_up);

}  // namespace holdfast::live
