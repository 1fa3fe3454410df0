// A duration as scenario files say it: fixed, or a multiple of the lock's lease, or their sum.
#pragma once

#include <cstdint>

#include "harness/kernel/time.h"

namespace holdfast {

// "15s", "250ms", "1.5 ttl", "ttl + 100ms".
struct ScenarioDuration {
  Duration fixed{0};
  std::int64_t ttl_per_mille = 0;  // 1500: one and a half leases

  constexpr Duration resolve(Duration ttl) const { return fixed + ttl * ttl_per_mille / 1000; }

  friend constexpr bool operator==(const ScenarioDuration&, const ScenarioDuration&) = default;
};

}  // namespace holdfast
