// A limit of real time for a check, as Limits::stop. No verdict but "unknown" ever depends on it.
#pragma once

#include <chrono>
#include <functional>

namespace holdfast::linear {

// Answers true once this much time has passed since the call.
std::function<bool()> stop_after(std::chrono::nanoseconds duration);

}  // namespace holdfast::linear
