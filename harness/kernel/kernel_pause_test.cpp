// Pauses and clocks: what is due waits, time does not, and timers follow their clock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/kernel/test_kernel.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(KernelPause, WhatComesDueWaitsAndThenRunsInOrder) {
  TestKernel world;
  world.kernel.spawn(world.b, sleep_and_note(world, world.b, ClockKind::monotonic, 20ms, "end"));
  world.on_behalf_of(world.a, 5ms, [&] { world.note("second"); });
  world.on_behalf_of(world.a, 3ms, [&] { world.note("first"); });
  world.on_behalf_of(world.b, 4ms, [&] { world.note("other process"); });
  world.at(2ms, [&] { world.kernel.pause(world.a); });
  world.at(10ms, [&] { world.kernel.resume(world.a); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("other process 4", "first 10", "second 10", "end 20"));
}

TEST(KernelPause, TheBacklogComesBeforeWhatIsDueAtTheInstantOfResuming) {
  TestKernel world;
  world.kernel.spawn(world.b, sleep_and_note(world, world.b, ClockKind::monotonic, 20ms, "end"));
  world.at(2ms, [&] { world.kernel.pause(world.a); });
  world.at(10ms, [&] { world.kernel.resume(world.a); });
  world.on_behalf_of(world.a, 10ms, [&] { world.note("due at ten"); });
  world.on_behalf_of(world.a, 3ms, [&] { world.note("due at three"); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("due at three 10", "due at ten 10", "end 20"));
}

TEST(KernelPause, ClocksRunOnAndNobodyLooksAtThemAgain) {
  TestKernel world;
  // Reads its clock, then does one more thing that it believes happens right after.
  const auto check_then_act = [](TestKernel& test) -> Task<> {
    co_await Sleep(test.kernel, test.a, ClockKind::monotonic,
                   test.kernel.read_clock(test.a, ClockKind::monotonic) + 1ms);
    const Duration checked = test.kernel.read_clock(test.a, ClockKind::wall);
    test.kernel.pause(test.a);
    co_await Sleep(test.kernel, test.a, ClockKind::monotonic, Duration::zero());  // the next instruction
    const Duration acted = test.kernel.read_clock(test.a, ClockKind::wall);
    EXPECT_EQ(acted - checked, 15s);
    test.note("acted");
  };
  world.kernel.spawn(world.a, check_then_act(world));
  world.at(15s + 1ms, [&] { world.kernel.resume(world.a); });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("acted 15001"));
}

TEST(KernelPause, NestedPausesEndWithTheLast) {
  TestKernel world;
  world.kernel.spawn(world.a, sleep_and_note(world, world.a, ClockKind::monotonic, 3ms, "woke"));
  world.at(1ms, [&] { world.kernel.pause(world.a); });
  world.at(2ms, [&] { world.kernel.pause(world.a); });
  world.at(5ms, [&] { world.kernel.resume(world.a); });
  world.at(8ms, [&] { world.kernel.resume(world.a); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("woke 8"));
}

TEST(KernelPause, ResumingOneThatRunsChangesNothing) {
  TestKernel world;
  world.kernel.resume(world.a);
  world.kernel.spawn(world.a, sleep_and_note(world, world.a, ClockKind::monotonic, 3ms, "woke"));
  world.at(1ms, [&] { world.kernel.pause(world.a); });
  world.at(8ms, [&] { world.kernel.resume(world.a); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("woke 8"));
}

TEST(KernelPause, OneThatIsNeverResumedIsADeadlock) {
  TestKernel world;
  world.kernel.spawn(world.a, sleep_and_note(world, world.a, ClockKind::monotonic, 3ms, "woke"));
  world.at(1ms, [&] { world.kernel.pause(world.a); });
  EXPECT_EQ(world.run(), RunEnd::deadlock);
  EXPECT_THAT(world.log, IsEmpty());
}

TEST(KernelPause, ATimerThatCameDueInThePauseIsNotTakenBackByAClockThatGoesBack) {
  TestKernel world;
  world.kernel.spawn(world.a, sleep_and_note(world, world.a, ClockKind::wall, 3ms, "woke"));
  world.at(1ms, [&] { world.kernel.pause(world.a); });
  world.at(5ms, [&] { world.kernel.jump_clock(world.a, ClockKind::wall, -10s); });
  world.at(8ms, [&] { world.kernel.resume(world.a); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("woke 8"));
}

class KernelClocks : public ::testing::Test {
 protected:
  KernelClocks() {
    world.kernel.spawn(world.a, sleep_and_note(world, world.a, ClockKind::wall, 100ms, "wall"));
    world.kernel.spawn(world.a, sleep_and_note(world, world.a, ClockKind::monotonic, 100ms, "monotonic"));
    world.kernel.spawn(world.b, sleep_and_note(world, world.b, ClockKind::wall, 100ms, "b"));
  }
  TestKernel world;
};

TEST_F(KernelClocks, AJumpForwardMakesAWallTimerDueAndNothingElse) {
  world.at(10ms, [&] { world.kernel.jump_clock(world.a, ClockKind::wall, 1s); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("wall 10", "monotonic 100", "b 100"));
}

TEST_F(KernelClocks, AJumpThatFallsShortOnlyShortensTheWait) {
  world.at(10ms, [&] { world.kernel.jump_clock(world.a, ClockKind::wall, 30ms); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("wall 70", "monotonic 100", "b 100"));
}

TEST_F(KernelClocks, AJumpBackPostponesAWallTimer) {
  world.at(10ms, [&] { world.kernel.jump_clock(world.a, ClockKind::wall, -50ms); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("monotonic 100", "b 100", "wall 150"));
}

TEST_F(KernelClocks, ASlowClockMakesATimerLateAndAFastOneEarly) {
  world.at(0ms, [&] {
    world.kernel.set_clock_rate(world.a, ClockKind::wall, Clock::true_rate / 2);
    world.kernel.set_clock_rate(world.a, ClockKind::monotonic, Clock::true_rate * 2);
  });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("monotonic 50", "b 100", "wall 200"));
}

TEST_F(KernelClocks, AFrozenClockStopsItsTimersUntilItRunsAgain) {
  world.at(40ms, [&] { world.kernel.set_clock_rate(world.a, ClockKind::wall, 0); });
  world.at(500ms, [&] { world.kernel.set_clock_rate(world.a, ClockKind::wall, Clock::true_rate); });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("monotonic 100", "b 100", "wall 560"));
}

TEST_F(KernelClocks, ATimerOnAClockFrozenForEverIsADeadlock) {
  world.at(40ms, [&] { world.kernel.set_clock_rate(world.a, ClockKind::wall, 0); });
  EXPECT_EQ(world.run(), RunEnd::deadlock);
  EXPECT_THAT(world.log, ElementsAre("monotonic 100", "b 100"));
}

TEST_F(KernelClocks, ATimerSetOnAFrozenClockFiresAfterAJump) {
  world.kernel.set_clock_rate(world.b, ClockKind::monotonic, 0);
  world.kernel.spawn(world.b, sleep_and_note(world, world.b, ClockKind::monotonic, 5ms, "frozen"));
  world.at(300ms, [&] { world.kernel.jump_clock(world.b, ClockKind::monotonic, 5ms); });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_EQ(world.log.back(), "frozen 300");
}

}  // namespace
}  // namespace holdfast
