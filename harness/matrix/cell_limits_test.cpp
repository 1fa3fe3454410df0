// How: cells made by hand; each limit is said where it holds, and only there.
#include "harness/matrix/cell_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holdfast {
namespace cell_limits_test {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

Scenario family() {
  Scenario scenario;
  scenario.sweep.emplace_back();
  return scenario;
}

Cell cell() {
  Cell result;
  result.runs = 10;
  result.shapes = {{.shape = "plain", .runs = 10, .seeds = 1, .placements = 10}};
  return result;
}

TEST(CellLimits, ACellThatWasNotRunHasNone) {
  EXPECT_TRUE(limits_of(Cell{}, family(), SweepDepth::usual).empty());
}

TEST(CellLimits, OneFaultAtATimeIsALimitWhereThereAreFaults) {
  EXPECT_THAT(limits_of(cell(), family(), SweepDepth::deep), Contains(HasSubstr("more than one fault")));
  EXPECT_THAT(limits_of(cell(), Scenario{}, SweepDepth::deep), Not(Contains(HasSubstr("fault"))));
}

TEST(CellLimits, WhatWasLeftOutIsCounted) {
  Cell some = cell();
  some.shapes.push_back({.shape = "threads", .runs = 5, .seeds = 1, .repetitions = 12, .beyond = 3});
  some.shapes.front().repetitions = 30;
  const auto limits = limits_of(some, family(), SweepDepth::usual);
  EXPECT_THAT(limits, Contains(HasSubstr("42 places")));
  EXPECT_THAT(limits, Contains(HasSubstr("3 steps after the 200th")));
  EXPECT_THAT(limits_of(cell(), family(), SweepDepth::usual), Not(Contains(HasSubstr("places"))));
}

TEST(CellLimits, ACellThatWasCutShortSaysWhichShapesItNeverTried) {
  Cell some = cell();
  some.is_cut_short = true;
  some.shapes.push_back({.shape = "threads"});
  EXPECT_THAT(limits_of(some, family(), SweepDepth::usual), Contains(HasSubstr("which is all of threads")));
}

TEST(CellLimits, SeedsThatOnlyThePlainShapeHadAreSaid) {
  Scenario seeds = family();
  seeds.seeds = 3;
  EXPECT_THAT(limits_of(cell(), seeds, SweepDepth::usual), Contains(HasSubstr("(3 there)")));
  EXPECT_THAT(limits_of(cell(), seeds, SweepDepth::deep), Not(Contains(HasSubstr("one seed"))));
}

}  // namespace cell_limits_test
}  // namespace holdfast
