// Lengths of time, in nanoseconds.
#pragma once

#include <cstdint>

namespace holdfast::rest {

inline constexpr std::int64_t microsecond_ns = 1000;
inline constexpr std::int64_t millisecond_ns = 1'000'000;
inline constexpr std::int64_t second_ns = 1'000'000'000;

}  // namespace holdfast::rest
