// Durations as people write them: "15s", "250ms", "1.5 ttl", "ttl + 100ms", "-5s".
//
// A sum of terms, each a decimal number and a unit: ns us ms s min h, or ttl, the lock's lease. "ttl" alone
// is one lease. Exact: what does not come to whole nanoseconds, or to whole thousandths of a lease, is
// refused, never rounded.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "harness/scenario/scenario.h"

namespace holdfast {

// At most this far in either direction, so that sums of a run's times stay far from overflowing.
inline constexpr Duration longest_duration = std::chrono::hours(24 * 366);
inline constexpr std::int64_t most_leases = 1000;

// The duration, or what is wrong with the text ("the unit \"sec\" is not one of …").
std::variant<ScenarioDuration, std::string> duration_from(std::string_view text);

// The shortest way to write it: "1.5 ttl + 100ms".
std::string to_text(const ScenarioDuration& duration);

}  // namespace holdfast
