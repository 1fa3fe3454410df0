// Durations at the borders of rounding and of units, and by properties: what is said exactly is read back.
#include "harness/text/duration_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace holdfast::duration_text_test {

using namespace std::chrono_literals;

TEST(DurationText, RoundsSecondsToTheMillisecond) {
  EXPECT_EQ(seconds_text(0ns), "0.000 s");
  EXPECT_EQ(seconds_text(10'003'499us), "10.003 s");
  EXPECT_EQ(seconds_text(10'003'500us), "10.004 s");
  EXPECT_EQ(seconds_number(15s), "15.000");
  EXPECT_EQ(seconds_text(-1'500ms), "-1.500 s");
  EXPECT_EQ(seconds_text(-1ms), "-0.001 s");
}

TEST(DurationText, SaysALengthInTheUnitThatShowsIt) {
  EXPECT_EQ(length_text(15s), "15.000 s");
  EXPECT_EQ(length_text(300'800us), "0.301 s");
  EXPECT_EQ(length_text(400us), "0.4 ms");
  EXPECT_EQ(length_text(12'345us), "12.345 ms");
  EXPECT_EQ(length_text(45'600ns), "45.6 µs");
  EXPECT_EQ(length_text(7ns), "7 ns");
  EXPECT_EQ(length_text(0ns), "0 s");
  EXPECT_EQ(length_text(-400us), "-0.4 ms");
}

TEST(DurationText, ALengthIsRoundedBeforeItGetsItsUnit) {
  EXPECT_EQ(length_text(100ms), "0.100 s");
  EXPECT_EQ(length_text(99'999'500ns), "0.100 s");
  EXPECT_EQ(length_text(99'999'499ns), "99.999 ms");
  EXPECT_EQ(length_text(100us), "0.1 ms");
  EXPECT_EQ(length_text(99'500ns), "0.1 ms");
  EXPECT_EQ(length_text(99'499ns), "99.499 µs");
  EXPECT_EQ(length_text(100ns), "0.1 µs");
  EXPECT_EQ(length_text(99ns), "99 ns");
  EXPECT_EQ(length_text(std::chrono::nanoseconds::min()), "-9223372036.855 s");
}

// Rounding changes it by half of a hundredth at most, and never makes nothing of something.
RC_GTEST_PROP(DurationTextProperty, ALengthIsSaidAsItIs, ()) {
  const std::int64_t length = *rc::gen::arbitrary<std::int64_t>() >> *rc::gen::inRange(0, 64);
  const std::string text = length_text(std::chrono::nanoseconds(length));
  const std::string unit = text.substr(text.find(' ') + 1);
  const double scale = unit == "s" ? 1e9 : unit == "ms" ? 1e6 : unit == "µs" ? 1e3 : 1;
  const auto size = static_cast<double>(length);
  RC_ASSERT(std::abs(std::stod(text) * scale - size) <= std::abs(size) / 198);
}

TEST(DurationText, SaysExactlyInTheLargestUnit) {
  EXPECT_EQ(to_text(0ns), "0 s");
  EXPECT_EQ(to_text(15s), "15 s");
  EXPECT_EQ(to_text(-15s), "-15 s");
  EXPECT_EQ(to_text(250ms), "250 ms");
  EXPECT_EQ(to_text(1'500us), "1.5 ms");
  EXPECT_EQ(to_text(1'500ms), "1.5 s");
  EXPECT_EQ(to_text(7us), "7 us");
}

TEST(DurationText, SaysAllDigitsOfALongOne) {
  EXPECT_EQ(to_text(1'234'567ms), "1234.567 s");
  EXPECT_EQ(to_text(3'600s + 7ns), "3600.000000007 s");
  EXPECT_EQ(to_text(-3'600s - 7ns), "-3600.000000007 s");
  EXPECT_EQ(to_text(1'234'567ns), "1.234567 ms");
  EXPECT_EQ(to_text(123'456ns), "123.456 us");
  EXPECT_EQ(to_text(1'234s + 1ms), "1234.001 s");
  EXPECT_EQ(to_text(366 * 24h), "31622400 s");  // no "3.16224e+07 s"
  EXPECT_EQ(to_text(std::chrono::nanoseconds::min()), "-9223372036.854775808 s");
}

// As a reader takes it: a sign, digits, perhaps a point and more digits, a unit. In whole nanoseconds, so
// that nothing is rounded on the way.
std::int64_t read_back(const std::string& text) {
  const bool is_negative = text.front() == '-';
  const std::size_t space = text.find(' ');
  const std::string unit = text.substr(space + 1);
  int decimals = unit == "s" ? 9 : unit == "ms" ? 6 : unit == "us" ? 3 : 0;
  std::uint64_t size = 0;
  bool is_behind_point = false;
  for (const char each : text.substr(is_negative ? 1 : 0, space - (is_negative ? 1 : 0))) {
    if (each == '.') {
      is_behind_point = true;
      continue;
    }
    RC_ASSERT(each >= '0' && each <= '9');
    size = size * 10 + static_cast<std::uint64_t>(each - '0');
    decimals -= is_behind_point ? 1 : 0;
  }
  RC_ASSERT(decimals >= 0);
  for (; decimals > 0; --decimals) {
    size *= 10;
  }
  return static_cast<std::int64_t>(is_negative ? 0 - size : size);
}

// Lengths of every size, from nanoseconds to centuries.
std::int64_t any_length() {
  const auto bits = *rc::gen::inRange(0, 64);
  return *rc::gen::arbitrary<std::int64_t>() >> bits;
}

RC_GTEST_PROP(DurationTextProperty, WhatIsSaidIsReadBackAsTheSameNanoseconds, ()) {
  const std::int64_t length = any_length();
  RC_ASSERT(read_back(to_text(std::chrono::nanoseconds(length))) == length);
}

// It said six significant digits, which is all of them here: stories, scenario files and logs have such
// texts.
RC_GTEST_PROP(DurationTextProperty, LengthsOfUpToSixDigitsAreSaidAsTheyAlwaysWere, ()) {
  auto length = *rc::gen::inRange<std::int64_t>(-999'999, 1'000'000);
  for (auto zeros = *rc::gen::inRange(0, 10); zeros > 0; --zeros) {
    length *= 10;
  }
  RC_PRE(length != 0 && std::abs(length) < 1'000'000'000'000'000);  // from there on it was "1e+06 s"
  const std::string text = to_text(std::chrono::nanoseconds(length));
  struct Unit {
    std::int64_t nanoseconds;
    const char* name;
  };
  for (const Unit unit : {Unit{1'000'000'000, "s"}, Unit{1'000'000, "ms"}, Unit{1'000, "us"}}) {
    if (std::abs(length) >= unit.nanoseconds && length % (unit.nanoseconds / 1000) == 0) {
      RC_ASSERT(text == fmt::format("{:g} {}",
                                    static_cast<double>(length) / static_cast<double>(unit.nanoseconds),
                                    unit.name));
      return;
    }
  }
  RC_ASSERT(text == fmt::format("{} ns", length));
}

TEST(DurationText, ShowsMostOfWhatWasMeasured) {
  EXPECT_EQ(measured_text(6'700ns), "6.7 µs");
  EXPECT_EQ(measured_text(12'345us), "12.345 ms");
  EXPECT_EQ(measured_text(-12'345us), "-12.345 ms");
  EXPECT_EQ(measured_text(1'500ms), "1.500 s");
}

}  // namespace holdfast::duration_text_test
