// Where faults strike and when they end: by step, by time, until a step, or never.
#include "faults/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "faults/catalog.h"
#include "faults/test_faults.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

FaultSpec pause_of(const std::string& on, Duration lasts) {
  FaultSpec spec;
  spec.fault = "gc-pause";
  spec.on = on;
  spec.at.process = on;
  spec.at.name = "work";
  spec.lasts = ScenarioDuration{lasts, 0};
  return spec;
}

class DriverTest : public FaultsTest {};

TEST_F(DriverTest, StrikesAtAStepOnceAndEndsAfterAWhile) {
  arm({pause_of("a", 5s)});
  point(1s, world.a, "start");
  point(2s, world.a, "work");
  point(9s, world.a, "work");
  run_until(20s);
  EXPECT_THAT(events(), ElementsAre("fault-begin a pauses for 5 s @2000", "fault-end a gc-pause @7000"));
  EXPECT_THAT(driver.not_struck(), IsEmpty());
}

TEST_F(DriverTest, StrikesAtATimeAndALeaseCountsAsItsLength) {
  FaultSpec spec = pause_of("a", 0s);
  spec.at.time = ScenarioDuration{1s, 500};  // and half a lease
  spec.lasts = ScenarioDuration{0s, 2000};
  arm({spec});
  run_until(60s);
  EXPECT_THAT(events(), ElementsAre("fault-begin a pauses for 20 s @6000", "fault-end a gc-pause @26000"));
}

TEST_F(DriverTest, EndsAtAStepOfAnother) {
  FaultSpec spec = pause_of("a", 0s);
  spec.lasts.reset();
  spec.until = StepSelector{};
  spec.until->process = "b";
  spec.until->name = "go";
  arm({spec});
  point(1s, world.b, "go");  // before it began: does not count
  point(2s, world.a, "work");
  point(3s, world.b, "wait");
  point(4s, world.b, "go");
  run_until(20s);
  EXPECT_THAT(events(), ElementsAre("fault-begin a pauses @2000", "fault-end a gc-pause @4000"));
  EXPECT_TRUE(world.kernel.runs(world.a));
}

TEST_F(DriverTest, EndsAtATimeThatCountsInLeases) {
  FaultSpec spec = pause_of("a", 0s);
  spec.until = StepSelector{};
  spec.until->time = ScenarioDuration{0s, 1500};
  arm({spec});
  point(2s, world.a, "work");
  run_until(60s);
  EXPECT_THAT(events(), ElementsAre("fault-begin a pauses @2000", "fault-end a gc-pause @15000"));
}

TEST_F(DriverTest, BegunByTimeItCanEndAtAStep) {
  FaultSpec spec = pause_of("a", 0s);
  spec.at.time = ScenarioDuration{1s, 0};
  spec.until = StepSelector{};
  spec.until->process = "b";
  arm({spec});
  point(3s, world.b, "anything");
  run_until(20s);
  EXPECT_THAT(events(), ElementsAre("fault-begin a pauses @1000", "fault-end a gc-pause @3000"));
}

TEST_F(DriverTest, CountsTheStepsThatFit) {
  FaultSpec spec = pause_of("a", 1s);
  spec.at.nth = 2;
  spec.at.thread = 2;
  arm({spec});
  point(1s, world.a, "work", 2);
  point(2s, world.a, "work", 1);
  point(3s, world.b, "work", 2);
  point(4s, world.a, "work", 2);
  run_until(20s);
  EXPECT_THAT(events(), ElementsAre("fault-begin a pauses for 1 s @4000", "fault-end a gc-pause @5000"));
}

TEST_F(DriverTest, ANumberNamesOneStepOfAClient) {
  FaultSpec spec = pause_of("a", 1s);
  spec.at.name = "ignored when there is a number";
  spec.at.ordinal = 3;
  arm({spec});
  for (int number = 1; number <= 4; ++number) {
    point(number * 1s, world.a, "any");
  }
  run_until(20s);
  EXPECT_THAT(events(), ElementsAre("fault-begin a pauses for 1 s @3000", "fault-end a gc-pause @4000"));
}

TEST_F(DriverTest, ANumberOfAServerCountsWhatItSees) {
  FaultSpec spec = pause_of("redis", 1s);
  spec.at.ordinal = 3;  // the second command arrives
  arm({spec});
  say(0s, "SET", "k", "v");
  say(2s, "SET", "k", "w");
  run_until(20s);
  EXPECT_THAT(events(),
              ElementsAre("fault-begin redis pauses for 1 s @2001", "fault-end redis gc-pause @3001"));
  EXPECT_THAT(world.log, ElementsAre("OK 2", "timed out 2500"));
}

TEST_F(DriverTest, APhaseAndACommandNameAStepOfACall) {
  FaultSpec spec = pause_of("a", 1s);
  spec.at.name = "SET";
  spec.at.phase = Phase::replied;
  arm({spec});
  say(0s, "GET", "k");
  say(1s, "SET", "k", "v");
  run_until(20s);
  EXPECT_THAT(world.log, ElementsAre("(nil) 2", "OK 2002"));
}

TEST_F(DriverTest, ReportsWhichFaultsNeverFoundTheirPlace) {
  const FaultSpec nowhere = pause_of("nobody", 1s);
  arm({pause_of("a", 1s), nowhere, pause_of("b", 1s)});
  point(1s, world.a, "work");
  run_until(20s);
  EXPECT_THAT(driver.not_struck(), ElementsAre(1U, 2U));
}

TEST_F(DriverTest, TwoFaultsCanStrikeAtOneStep) {
  FaultSpec jump = pause_of("a", 0s);
  jump.fault = "clock-jump";
  jump.on = "redis";
  set_option(jump, "by", ScenarioDuration{30s, 0});
  arm({pause_of("a", 5s), jump});
  point(1s, world.a, "work");
  world.at(2s, [&] {
    EXPECT_FALSE(world.kernel.runs(world.a));
    EXPECT_EQ(ahead(redis, ClockKind::wall), 30s);
  });
  run_until(20s);
  EXPECT_THAT(driver.not_struck(), IsEmpty());
}

TEST_F(DriverTest, TwoPausesOfOneProcessEndWithTheLater) {
  const FaultSpec longer = pause_of("a", 9s);
  arm({pause_of("a", 5s), longer});
  point(1s, world.a, "work");
  world.at(7s, [&] { EXPECT_FALSE(world.kernel.runs(world.a)); });
  world.at(11s, [&] { EXPECT_TRUE(world.kernel.runs(world.a)); });
  run_until(20s);
  EXPECT_EQ(history.events().size(), 4U);
}

TEST_F(DriverTest, APauseAndACrashAtOneStepLeaveItDead) {
  FaultSpec crash = pause_of("a", 0s);
  crash.fault = "crash";
  arm({pause_of("a", 5s), crash});
  point(1s, world.a, "work");
  run_until(20s);
  EXPECT_FALSE(world.kernel.process(world.a).alive);
  EXPECT_EQ(world.kernel.process(world.a).pauses, 0U);
}

TEST_F(DriverTest, SaysWhichFaultsExcuseWaiting) {
  FaultSpec jump = pause_of("a", 0s);
  jump.fault = "clock-jump";
  set_option(jump, "by", ScenarioDuration{1s, 0});
  arm({pause_of("a", 5s), jump});
  point(1s, world.a, "work");
  run_until(20s);
  ASSERT_EQ(history.events().size(), 3U);
  EXPECT_EQ(history.events()[0].value, 1);
  EXPECT_EQ(history.events()[1].value, 0);
  EXPECT_EQ(history.events()[2].value, 1);
}

TEST_F(DriverTest, AnUnknownFaultIsABugOfTheLoader) {
  FaultSpec spec = pause_of("a", 1s);
  spec.fault = "meteor";
  EXPECT_THROW(arm({spec}), std::logic_error);
}

}  // namespace
}  // namespace holdfast
