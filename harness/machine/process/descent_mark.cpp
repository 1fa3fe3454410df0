#include "harness/machine/process/descent_mark.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>

#include "harness/files/random_name.h"

namespace holdfast::live {
namespace {

constexpr std::uint64_t highest = std::uint64_t{1} << 61U;
constexpr std::uint64_t lowest = std::uint64_t{1} << 50U;  // some 36 years
constexpr std::string_view line_name = "Max realtime timeout";

std::uint64_t limit_of_ours() noexcept {
  rlimit limit{};
  return ::getrlimit(RLIMIT_RTTIME, &limit) == 0 ? std::min<std::uint64_t>(limit.rlim_max, highest) : 0;
}

}  // namespace

DescentMark new_descent_mark() {
  const std::uint64_t most = limit_of_ours();
  if (most <= lowest) {
    return {};
  }
  const std::string letters = random_name();
  constexpr int letters_and_digits = 36;
  std::uint64_t below = 0;
  std::from_chars(letters.data(), letters.data() + letters.size(), below, letters_and_digits);
  // Not by much: whoever we start may start others like us.
  constexpr std::uint64_t marks = std::uint64_t{1} << 48U;
  return {most - 1 - below % std::min(marks, most - lowest)};
}

void wear(DescentMark mark) noexcept {
  if (mark.microseconds != 0) {
    const rlimit limit{mark.microseconds, mark.microseconds};
    ::setrlimit(RLIMIT_RTTIME, &limit);
  }
}

void wear_mark_of_ones_own() noexcept {
  if (const std::uint64_t most = limit_of_ours(); most > lowest && most < highest) {
    wear({most - 1});
  }
}

// "Max realtime timeout      2305843009213693000  2305843009213693000  us"
bool is_worn_by(DescentMark mark, pid_t process) {
  std::ifstream limits(fmt::format("/proc/{}/limits", process));
  for (std::string line; mark.microseconds != 0 && std::getline(limits, line);) {
    if (!line.starts_with(line_name)) {
      continue;
    }
    std::string_view values = std::string_view(line).substr(line_name.size());
    values.remove_prefix(std::min(values.find_first_not_of(' '), values.size()));
    std::uint64_t soft = 0;
    std::from_chars(values.data(), values.data() + values.size(), soft);
    return soft == mark.microseconds;
  }
  return false;
}

}  // namespace holdfast::live
