// Numbers as Redis reads and writes them: strict integers, doubles of 17 significant digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::redis {

// Only the one canonical spelling of a 64-bit integer: no blanks, no '+', no leading zeros, no "-0".
std::optional<std::int64_t> parse_integer(std::string_view text);

// What strtod takes, as a whole: "1e3", "inf", "0x10"; neither blanks in front, nor "nan", nor overflow.
std::optional<double> parse_double(std::string_view text);

// As ZSCORE prints a score: "%.17g", "inf", "-inf".
std::string format_double(double value);

// As a C cast does on x86-64: toward zero, and the smallest integer for whatever does not fit.
std::int64_t truncate_to_integer(double value);

// Nothing when the sum does not fit.
std::optional<std::int64_t> checked_add(std::int64_t left, std::int64_t right);

}  // namespace holdfast::redis
