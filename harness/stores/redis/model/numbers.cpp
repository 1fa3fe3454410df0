#include "harness/stores/redis/model/numbers.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace holdfast::redis {

std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (text == "0") return 0;
  const std::size_t first_digit = !text.empty() && text.front() == '-' ? 1 : 0;
  if (text.size() <= first_digit || text[first_digit] < '1' || text[first_digit] > '9') return std::nullopt;
  std::int64_t value = 0;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::optional<double> parse_double(std::string_view text) {
  if (text.empty() || std::isspace(static_cast<unsigned char>(text.front())) != 0) return std::nullopt;
  const std::string terminated(text);
  char* stop = nullptr;
  errno = 0;
  const double value = std::strtod(terminated.c_str(), &stop);
  if (stop != terminated.c_str() + terminated.size() || std::isnan(value)) return std::nullopt;
  if (errno == ERANGE && (std::isinf(value) || value == 0)) return std::nullopt;
  return value;
}

std::string format_double(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 40> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), "%.17g", value);
  return {buffer.data(), static_cast<std::size_t>(length)};
}

std::int64_t truncate_to_integer(double value) {
  constexpr double two_to_the_63 = 9223372036854775808.0;
  if (value >= -two_to_the_63 && value < two_to_the_63) return static_cast<std::int64_t>(value);
  return std::numeric_limits<std::int64_t>::min();
}

std::optional<std::int64_t> checked_add(std::int64_t left, std::int64_t right) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(left, right, &sum)) return std::nullopt;
  return sum;
}

}  // namespace holdfast::redis
