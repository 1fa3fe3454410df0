// Statistics on numbers small enough to work out by hand.
#include "harness/live/bench/statistics.h"

#include <gtest/gtest.h>

namespace holdfast::live {
namespace statistics_test {

std::vector<Duration> one_to(std::int64_t most) {
  std::vector<Duration> values;
  for (std::int64_t value = most; value > 0; --value) {
    values.emplace_back(value);
  }
  return values;
}

TEST(PercentilesOf, AHundredMeasurementsAreTheirOwnRanks) {
  const Percentiles found = percentiles_of(one_to(100));
  EXPECT_EQ(found.p50, Duration(50));
  EXPECT_EQ(found.p95, Duration(95));
  EXPECT_EQ(found.p99, Duration(99));
  EXPECT_EQ(found.max, Duration(100));
}

TEST(PercentilesOf, AFewMeasurementsRoundTheRankUp) {
  const Percentiles found = percentiles_of(one_to(3));
  EXPECT_EQ(found.p50, Duration(2));
  EXPECT_EQ(found.p95, Duration(3));
  EXPECT_EQ(found.max, Duration(3));
  EXPECT_EQ(percentiles_of(one_to(1)).p50, Duration(1));
}

TEST(PercentilesOf, NothingMeasuredIsZero) {
  EXPECT_EQ(percentiles_of({}).max, Duration(0));
}

TEST(JainIndex, IsOneForEqualSharesAndOneOfNForASingleWinner) {
  const std::uint64_t equal[] = {7, 7, 7, 7};
  const std::uint64_t single[] = {0, 0, 9, 0};
  const std::uint64_t nothing[] = {0, 0};
  EXPECT_DOUBLE_EQ(jain_index(equal), 1);
  EXPECT_DOUBLE_EQ(jain_index(single), 0.25);
  EXPECT_DOUBLE_EQ(jain_index(nothing), 1);
}

TEST(JainIndex, LiesBetweenForUnequalShares) {
  const std::uint64_t unequal[] = {1, 3};
  EXPECT_DOUBLE_EQ(jain_index(unequal), 0.8);  // 16 / (2 × 10)
}

TEST(MiddleOf, IsTheLowerMiddleOfAnEvenNumber) {
  EXPECT_DOUBLE_EQ(middle_of({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(middle_of({4, 1, 3, 2}), 2);
  EXPECT_DOUBLE_EQ(middle_of({5}), 5);
}

}  // namespace statistics_test
}  // namespace holdfast::live
