#include "harness/check/linear/time_limit.h"

namespace holdfast::linear {

std::function<bool()> stop_after(std::chrono::nanoseconds duration) {
  const auto end = std::chrono::steady_clock::now() + duration;
  return [end] { return std::chrono::steady_clock::now() >= end; };
}

}  // namespace holdfast::linear
