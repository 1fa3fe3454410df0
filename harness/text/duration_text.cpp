#include "harness/text/duration_text.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace holdfast {

using namespace std::chrono_literals;

namespace {

// Of a number, without the zeros behind the last of them.
int significant_digits(std::uint64_t number) {
  while (number != 0 && number % 10 == 0) {
    number /= 10;
  }
  int digits = 0;
  for (; number != 0; number /= 10) {
    ++digits;
  }
  return digits;
}

}  // namespace

std::string seconds_number(std::chrono::nanoseconds time) {
  const std::int64_t milliseconds = std::chrono::floor<std::chrono::milliseconds>(time + 500us).count();
  const std::uint64_t size = milliseconds < 0 ? 0 - static_cast<std::uint64_t>(milliseconds)
                                              : static_cast<std::uint64_t>(milliseconds);
  return fmt::format("{}{}.{:03}", milliseconds < 0 ? "-" : "", size / 1000, size % 1000);
}

std::string seconds_text(std::chrono::nanoseconds time) {
  return seconds_number(time) + " s";
}

std::string length_text(std::chrono::nanoseconds length) {
  const bool is_negative = length < 0ns;
  const std::uint64_t size = is_negative ? 0 - static_cast<std::uint64_t>(length.count())
                                         : static_cast<std::uint64_t>(length.count());
  const std::uint64_t microseconds = size / 1000 + (size % 1000 >= 500 ? 1 : 0);
  if (microseconds >= 100'000) {  // what rounds up to a tenth of a second is one
    return seconds_text(length);
  }
  const auto with_thousandths = [&](std::uint64_t thousandths, std::string_view unit) {
    std::string decimals = fmt::format(".{:03}", thousandths % 1000);
    decimals.erase(decimals.find_last_not_of('0') + 1);
    return fmt::format("{}{}{} {}", is_negative ? "-" : "", thousandths / 1000,
                       decimals == "." ? "" : decimals, unit);
  };
  if (microseconds >= 100) {
    return with_thousandths(microseconds, "ms");
  }
  return size >= 100 ? with_thousandths(size, "µs")
         : size == 0 ? "0 s"
                     : fmt::format("{} ns", length.count());
}

std::string to_text(std::chrono::nanoseconds duration) {
  struct Unit {
    std::uint64_t nanoseconds;
    const char* name;
    int decimals;  // that come to one nanosecond
  };
  const std::int64_t count = duration.count();
  const std::string_view sign = count < 0 ? "-" : "";
  const std::uint64_t size =
      count < 0 ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
  // Three decimals are read at a glance, so few digits get the unit that needs no more of them. Of many
  // digits the large unit shows at least how long it is.
  const bool has_few_digits = significant_digits(size) <= 6;
  for (const Unit unit : {Unit{1'000'000'000, "s", 9}, Unit{1'000'000, "ms", 6}, Unit{1'000, "us", 3}}) {
    if (size < unit.nanoseconds || (has_few_digits && size % (unit.nanoseconds / 1000) != 0)) {
      continue;
    }
    std::string decimals = fmt::format(".{:0{}}", size % unit.nanoseconds, unit.decimals);
    decimals.erase(decimals.find_last_not_of('0') + 1);
    return fmt::format("{}{}{} {}", sign, size / unit.nanoseconds, decimals == "." ? "" : decimals,
                       unit.name);
  }
  return size == 0 ? "0 s" : fmt::format("{} ns", count);
}

std::string measured_text(std::chrono::nanoseconds duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  const double size = seconds < 0 ? -seconds : seconds;
  return size < 1e-3 ? fmt::format("{:.1f} µs", seconds * 1e6)
         : size < 1  ? fmt::format("{:.3f} ms", seconds * 1e3)
                     : fmt::format("{:.3f} s", seconds);
}

}  // namespace holdfast
