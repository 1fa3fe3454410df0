// The event loop: order, tickets, threads, how a run ends, and that it is the same every time.
#include "harness/kernel/kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/kernel/test_kernel.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Keeps the run going until 100 ms, so that what nobody waits for still happens.
Task<> last_100ms(TestKernel& world) {
  co_await Sleep(world.kernel, world.b, ClockKind::monotonic,
                 world.kernel.read_clock(world.b, ClockKind::monotonic) + 100ms);
}

class KernelTest : public ::testing::Test {
 protected:
  KernelTest() { world.kernel.spawn(world.b, last_100ms(world)); }
  TestKernel world;
};

TEST_F(KernelTest, FiresInOrderOfTime) {
  world.at(3ms, [&] { world.note("third"); });
  world.at(1ms, [&] { world.note("first"); });
  world.at(2ms, [&] { world.note("second"); });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("first 1", "second 2", "third 3"));
}

TEST_F(KernelTest, FiresEqualTimesInTheOrderTheyWereScheduled) {
  std::vector<int> fired;
  for (int number = 0; number < 50; ++number) {
    world.at(7ms, [&fired, number] { fired.push_back(number); });
  }
  world.run();
  ASSERT_EQ(fired.size(), 50U);
  EXPECT_TRUE(std::is_sorted(fired.begin(), fired.end()));
}

TEST_F(KernelTest, WhatIsScheduledForNowRunsAfterWhatIsAlreadyDue) {
  world.at(1ms, [&] { world.at(1ms, [&] { world.note("late"); }); });
  world.at(1ms, [&] { world.note("due"); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("due 1", "late 1"));
}

TEST_F(KernelTest, DropsWhatWasCancelled) {
  const Ticket ticket = world.on_behalf_of(world.a, 5ms, [&] { world.note("cancelled"); });
  EXPECT_TRUE(world.kernel.pending(ticket));
  world.at(4ms, [&] { world.kernel.cancel(ticket); });
  world.run();
  EXPECT_THAT(world.log, IsEmpty());
  EXPECT_FALSE(world.kernel.pending(ticket));
}

TEST_F(KernelTest, ATicketThatHasFiredNeverTouchesWhoTookItsPlace) {
  const Ticket old = world.on_behalf_of(world.a, 1ms, [&] { world.note("old"); });
  world.at(2ms, [&] {
    world.on_behalf_of(world.a, 3ms, [&] { world.note("new"); });
    world.kernel.cancel(old);
    world.kernel.wake(old);
  });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("old 1", "new 3"));
}

TEST_F(KernelTest, AnEmptyTicketRefersToNothing) {
  EXPECT_FALSE(world.kernel.pending(Ticket{}));
  world.kernel.cancel(Ticket{});
  world.kernel.wake(Ticket{});
  EXPECT_EQ(world.run(), RunEnd::finished);
}

TEST_F(KernelTest, WakingATimerMakesItDueNowAndOnlyOnce) {
  const Ticket ticket = world.on_behalf_of(world.a, 50ms, [&] { world.note("woken"); });
  world.at(10ms, [&] {
    world.kernel.wake(ticket);
    world.kernel.wake(ticket);
  });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("woken 10"));
}

TEST_F(KernelTest, ReportsADeadlockWhenAThreadWaitsAndNothingIsLeftToDo) {
  Semaphore never_released(world.kernel, world.a, 0);
  const auto wait = [](Semaphore& semaphore) -> Task<> { co_await semaphore.acquire(); };
  world.kernel.spawn(world.a, wait(never_released));
  EXPECT_EQ(world.run(), RunEnd::deadlock);
  EXPECT_EQ(world.kernel.foreground_count(), 1U);
  world.kernel.stop();
}

TEST_F(KernelTest, StopsAtTheLimitOfTimeWithoutRunningWhatLiesBehindIt) {
  world.at(31ms, [&] { world.note("behind"); });
  world.at(30ms, [&] { world.note("at"); });
  EXPECT_EQ(world.run({.true_time = 30ms}), RunEnd::time_limit);
  EXPECT_THAT(world.log, ElementsAre("at 30"));
  EXPECT_EQ(world.kernel.now(), 30ms);
}

TEST_F(KernelTest, StopsARunThatSpinsWithoutTimePassing) {
  std::function<void()> again = [&] { world.at(world.kernel.now(), again); };
  world.at(1ms, again);
  EXPECT_EQ(world.run({.events = 1000}), RunEnd::event_limit);
  EXPECT_EQ(world.kernel.now(), 1ms);
}

TEST(KernelThreads, TheRunEndsWithTheLastForegroundThread) {
  TestKernel world;
  world.kernel.spawn(world.a, sleep_and_note(world, world.a, ClockKind::monotonic, 5ms, "short"));
  world.kernel.spawn(world.b, sleep_and_note(world, world.b, ClockKind::monotonic, 9ms, "long"));
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("short 5", "long 9"));
}

TEST(KernelThreads, TheRunDoesNotWaitForABackgroundThread) {
  TestKernel world;
  world.kernel.spawn(world.a, sleep_for_ever(world, world.a, "gone"), true);
  world.kernel.spawn(world.a, sleep_and_note(world, world.a, ClockKind::monotonic, 3500ms, "work"));
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_EQ(world.kernel.now(), 3500ms);
  world.kernel.stop();
  EXPECT_THAT(world.log, ElementsAre("work 3500", "gone 3500"));
}

TEST(KernelThreads, ARunIsHeldOpenUntilItIsLetGo) {
  TestKernel world;
  world.kernel.hold_open();
  world.at(8ms, [&] { world.kernel.let_close(); });
  world.at(9ms, [&] { world.note("too late"); });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_EQ(world.kernel.now(), 8ms);
  EXPECT_THAT(world.log, IsEmpty());
}

TEST(KernelThreads, AKilledThreadDiesAloneAndItsFrameGoes) {
  TestKernel world;
  const std::size_t victim = world.kernel.spawn(world.a, sleep_for_ever(world, world.a, "killed"));
  world.kernel.spawn(world.a, sleep_and_note(world, world.a, ClockKind::monotonic, 10ms, "other"));
  world.at(4ms, [&] { world.kernel.kill_thread(world.a, victim); });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("killed 4", "other 10"));
  EXPECT_TRUE(world.kernel.process(world.a).alive);
}

TEST(KernelThreads, AThreadKilledBeforeItBeganNeverRuns) {
  TestKernel world;
  const std::size_t victim =
      world.kernel.spawn(world.a, sleep_and_note(world, world.a, ClockKind::monotonic, 0ms, "ran"));
  world.kernel.kill_thread(world.a, victim);
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, IsEmpty());
}

TEST(KernelThreads, KillingTwiceOrAfterTheEndCountsOnce) {
  TestKernel world;
  const std::size_t ended =
      world.kernel.spawn(world.a, sleep_and_note(world, world.a, ClockKind::monotonic, 1ms, "ended"));
  const std::size_t victim = world.kernel.spawn(world.a, sleep_for_ever(world, world.a, "killed"));
  world.kernel.spawn(world.b, sleep_and_note(world, world.b, ClockKind::monotonic, 10ms, "other"));
  world.at(4ms, [&] {
    world.kernel.kill_thread(world.a, ended);
    world.kernel.kill_thread(world.a, victim);
    world.kernel.kill_thread(world.a, victim);
  });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("ended 1", "killed 4", "other 10"));
}

TEST(KernelThreads, AThreadThatIsKilledAndReachesItsEndInOneEventCountsOnce) {
  TestKernel world;
  const auto suicide = [](TestKernel& test) -> Task<> {
    test.kernel.kill_thread(test.a, 0);
    test.note("still here");
    co_return;
  };
  world.kernel.spawn(world.a, suicide(world));
  world.kernel.spawn(world.b, sleep_and_note(world, world.b, ClockKind::monotonic, 10ms, "other"));
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("still here 0", "other 10"));
}

TEST(KernelThreads, KillingAThreadOfADeadProcessDoesNothing) {
  TestKernel world;
  world.kernel.spawn(world.a, sleep_for_ever(world, world.a, "died"));
  world.kernel.spawn(world.b, sleep_and_note(world, world.b, ClockKind::monotonic, 10ms, "other"));
  world.at(1ms, [&] { world.kernel.crash(world.a); });
  world.at(2ms, [&] { world.kernel.kill_thread(world.a, 0); });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("died 1", "other 10"));
}

TEST(KernelCallbacks, ACallbackComesWhenItsClockShowsTheTimeHoweverThatIsMoved) {
  TestKernel world;
  const auto note_at = [&](Duration ahead, const char* word) {
    world.kernel.call_when(
        world.a, ClockKind::wall, world.kernel.read_clock(world.a, ClockKind::wall) + ahead,
        [](void* context, std::uint64_t) { static_cast<TestKernel*>(context)->note("due"); }, &world, 0);
    world.note(word);
  };
  note_at(10s, "set");
  note_at(20s, "set");
  world.at(1s, [&] { world.kernel.jump_clock(world.a, ClockKind::wall, 9s); });
  world.at(2s, [&] { world.kernel.jump_clock(world.a, ClockKind::wall, -5s); });
  world.kernel.hold_open();
  world.run({.true_time = 1min});
  EXPECT_THAT(world.log, ElementsAre("set 0", "set 0", "due 1000", "due 16000"));
}

// Many timers, a semaphore, random draws, a pause and a crash: what a run is made of.
std::uint64_t busy_run(TestKernel& world, std::uint64_t seed) {
  world.reset(seed);
  const StreamId stream = world.kernel.choices().open({"test", 1, 2});
  for (int thread = 0; thread < 8; ++thread) {
    const auto wait = std::chrono::microseconds(world.kernel.choices().choose(stream, 5000));
    world.kernel.spawn(
        thread % 2 == 0 ? world.a : world.b,
        sleep_and_note(world, thread % 2 == 0 ? world.a : world.b, ClockKind::wall, wait, "slept"));
  }
  world.at(1ms, [&] { world.kernel.pause(world.a); });
  world.at(2ms, [&] { world.kernel.resume(world.a); });
  world.at(3ms, [&] { world.kernel.crash(world.b); });
  world.run();
  return world.kernel.fingerprint().value();
}

TEST(KernelDeterminism, OneSeedGivesOneFingerprintAlsoAfterAnotherSeedInBetween) {
  TestKernel world;
  const std::uint64_t first = busy_run(world, 1);
  EXPECT_EQ(busy_run(world, 1), first);
  const std::uint64_t other = busy_run(world, 2);
  EXPECT_NE(other, first);
  EXPECT_EQ(busy_run(world, 1), first);
  EXPECT_EQ(busy_run(world, 2), other);
  TestKernel fresh;
  EXPECT_EQ(busy_run(fresh, 2), other);
}

TEST(KernelDeterminism, TheFingerprintSeesWhenThingsHappen) {
  TestKernel one;
  one.kernel.spawn(one.a, sleep_and_note(one, one.a, ClockKind::wall, 1ms, "slept"));
  one.run();
  TestKernel other;
  other.kernel.spawn(other.a, sleep_and_note(other, other.a, ClockKind::wall, 1ms + 1ns, "slept"));
  other.run();
  EXPECT_NE(one.kernel.fingerprint().value(), other.kernel.fingerprint().value());
}

}  // namespace
}  // namespace holdfast
