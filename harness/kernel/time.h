// Time in holdfast: signed 64-bit nanoseconds everywhere, never floating point.
//
// Three scales meet, and a name says which one a value is on:
//   true time   what the kernel counts, zero at the start of a run; no process can read it;
//   wall        what a process's calendar clock says, since the Unix epoch; may jump;
//   monotonic   what a process's steady clock says; never goes back, but may drift or freeze.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace holdfast {

using Duration = std::chrono::nanoseconds;

using namespace std::chrono_literals;

// "At no time": the deadline of a timer on a frozen clock.
inline constexpr Duration never{std::numeric_limits<std::int64_t>::max()};

constexpr std::int64_t to_milliseconds(Duration duration) {
  return std::chrono::floor<std::chrono::milliseconds>(duration).count();
}
constexpr std::int64_t to_microseconds(Duration duration) {
  return std::chrono::floor<std::chrono::microseconds>(duration).count();
}

}  // namespace holdfast
