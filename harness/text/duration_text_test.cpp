// Durations at the borders of rounding and of units.
#include "harness/text/duration_text.h"

#include <gtest/gtest.h>

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

TEST(DurationText, SaysExactlyInTheLargestUnit) {
  EXPECT_EQ(to_text(0ns), "0 s");
  EXPECT_EQ(to_text(15s), "15 s");
  EXPECT_EQ(to_text(-15s), "-15 s");
  EXPECT_EQ(to_text(250ms), "250 ms");
  EXPECT_EQ(to_text(1'500us), "1.5 ms");
  EXPECT_EQ(to_text(1'500ms), "1.5 s");
  EXPECT_EQ(to_text(7us), "7 us");
  EXPECT_EQ(to_text(1'000'000'001ns), "1000000001 ns");
}

TEST(DurationText, ShowsMostOfWhatWasMeasured) {
  EXPECT_EQ(measured_text(6'700ns), "6.7 µs");
  EXPECT_EQ(measured_text(12'345us), "12.345 ms");
  EXPECT_EQ(measured_text(-12'345us), "-12.345 ms");
  EXPECT_EQ(measured_text(1'500ms), "1.500 s");
}

}  // namespace holdfast::duration_text_test
