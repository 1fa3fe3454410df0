#include "harness/text/duration_text.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>

namespace holdfast {

using namespace std::chrono_literals;

std::string seconds_number(std::chrono::nanoseconds time) {
  const std::int64_t milliseconds = std::chrono::floor<std::chrono::milliseconds>(time + 500us).count();
  const std::uint64_t size = milliseconds < 0 ? 0 - static_cast<std::uint64_t>(milliseconds)
                                              : static_cast<std::uint64_t>(milliseconds);
  return fmt::format("{}{}.{:03}", milliseconds < 0 ? "-" : "", size / 1000, size % 1000);
}

std::string seconds_text(std::chrono::nanoseconds time) {
  return seconds_number(time) + " s";
}

std::string to_text(std::chrono::nanoseconds duration) {
  struct Unit {
    std::int64_t nanoseconds;
    const char* name;
  };
  const std::int64_t count = duration.count();
  for (const Unit unit : {Unit{1'000'000'000, "s"}, Unit{1'000'000, "ms"}, Unit{1'000, "us"}}) {
    if (count != 0 && std::abs(count) >= unit.nanoseconds && count % (unit.nanoseconds / 1000) == 0) {
      return fmt::format("{:g} {}", static_cast<double>(count) / static_cast<double>(unit.nanoseconds),
                         unit.name);
    }
  }
  return count == 0 ? "0 s" : fmt::format("{} ns", count);
}

std::string measured_text(std::chrono::nanoseconds duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  const double size = seconds < 0 ? -seconds : seconds;
  return size < 1e-3 ? fmt::format("{:.1f} µs", seconds * 1e6)
         : size < 1  ? fmt::format("{:.3f} ms", seconds * 1e3)
                     : fmt::format("{:.3f} s", seconds);
}

}  // namespace holdfast
