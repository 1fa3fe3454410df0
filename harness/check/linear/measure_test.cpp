// The measurement itself, on a clock that the test moves.
#include "harness/check/linear/measure.h"

#include <gtest/gtest.h>

namespace holdfast::linear {
namespace measure_test {

TEST(CheckMeasurement, CountsItsHistoriesAndReadsTheClockAroundEachCheck) {
  double now = 0;
  CheckMeasureOptions options;
  options.histories = 50;
  const CheckMeasure measure = measure_general(options, [&] { return now += 0.5; });
  EXPECT_EQ(measure.linearizable + measure.violated, 50U);
  EXPECT_GT(measure.linearizable, 0U);
  EXPECT_GT(measure.violated, 0U);
  EXPECT_DOUBLE_EQ(measure.median_seconds, 0.5);
  EXPECT_DOUBLE_EQ(measure.max_seconds, 0.5);
  EXPECT_GT(measure.info_share, 0.04);
  EXPECT_LT(measure.info_share, 0.10);
}

}  // namespace measure_test
}  // namespace holdfast::linear
