// Crashes: frames go and their destructors run, listeners are told, what was due is dropped, and a restart
// begins anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/kernel/test_kernel.h"

namespace holdfast {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Witness final : public ProcessListener {
 public:
  Witness(TestKernel& world, ProcessId process) : world_(world), process_(process) {
    world.kernel.listen(process, *this);
  }
  void on_crash() override {
    world_.note("crash");
    EXPECT_FALSE(world_.kernel.process(process_).alive);
    EXPECT_THAT(world_.kernel.process(process_).threads, IsEmpty());
  }
  void on_restart() override {
    world_.note("restart");
    world_.kernel.spawn(process_, sleep_and_note(world_, process_, ClockKind::monotonic, 1ms, "reborn"));
  }

 private:
  TestKernel& world_;
  ProcessId process_;
};

class KernelCrash : public ::testing::Test {
 protected:
  KernelCrash() {
    world.kernel.spawn(world.b, sleep_and_note(world, world.b, ClockKind::monotonic, 50ms, "end"));
  }
  TestKernel world;
  Witness witness{world, world.a};
};

Task<> outer_and_inner(TestKernel& world) {
  const Farewell farewell(world, "outer gone");
  co_await sleep_for_ever(world, world.a, "inner gone");
  world.note("never");
}

TEST_F(KernelCrash, DestroysEveryFrameFromTheInnermostAndThenTellsTheListeners) {
  world.kernel.spawn(world.a, outer_and_inner(world));
  world.at(5ms, [&] { world.kernel.crash(world.a); });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("inner gone 5", "outer gone 5", "crash 5", "end 50"));
}

TEST_F(KernelCrash, OfADeadProcessHappensOnce) {
  world.kernel.spawn(world.a, sleep_for_ever(world, world.a, "gone"));
  world.at(5ms, [&] {
    world.kernel.crash(world.a);
    world.kernel.crash(world.a);
  });
  world.at(6ms, [&] { world.kernel.crash(world.a); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("gone 5", "crash 5", "end 50"));
  EXPECT_EQ(world.kernel.process(world.a).incarnation, 1U);
}

TEST_F(KernelCrash, FromInsideItsOwnCoroutineLetsItReachItsNextWaitAndNoFurther) {
  const auto suicide = [](TestKernel& test) -> Task<> {
    const Farewell farewell(test, "gone");
    test.kernel.crash(test.a);
    test.note("still here");
    co_await Sleep(test.kernel, test.a, ClockKind::monotonic, Duration::zero());
    test.note("never");
  };
  world.kernel.spawn(world.a, suicide(world));
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("still here 0", "gone 0", "crash 0", "end 50"));
}

TEST_F(KernelCrash, OfAPausedProcessDropsWhatItHadNotDone) {
  world.kernel.spawn(world.a, sleep_and_note(world, world.a, ClockKind::monotonic, 3ms, "slept"));
  world.at(1ms, [&] { world.kernel.pause(world.a); });
  world.at(5ms, [&] { world.kernel.crash(world.a); });
  world.at(8ms, [&] { world.kernel.resume(world.a); });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("crash 5", "end 50"));
}

TEST_F(KernelCrash, ARestartedProcessIsNotPausedAnyMore) {
  world.kernel.spawn(world.a, sleep_for_ever(world, world.a, "gone"));
  world.at(1ms, [&] { world.kernel.pause(world.a); });
  world.at(5ms, [&] { world.kernel.crash(world.a); });
  world.at(6ms, [&] { world.kernel.restart(world.a); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("gone 5", "crash 5", "restart 6", "reborn 7", "end 50"));
}

// A run that was explored did so: it crashed a client that comes back, and paused it at the same step.
TEST_F(KernelCrash, APauseOfADeadProcessLastsIntoItsNextLifeWithWhatCameMeanwhile) {
  world.at(1ms, [&] { world.kernel.crash(world.a); });
  world.at(2ms, [&] { world.kernel.pause(world.a); });
  const auto note_it = [](void* test, std::uint64_t) { static_cast<TestKernel*>(test)->note("came"); };
  world.kernel.call_at(world.a, 3ms, note_it, &world, 0);
  world.at(5ms, [&] { world.kernel.restart(world.a); });
  world.at(8ms, [&] { world.kernel.resume(world.a); });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("crash 1", "restart 5", "came 8", "reborn 9", "end 50"));
}

TEST_F(KernelCrash, TheRunEndsWhenOnlyTheDeadHadWorkToDo) {
  TestKernel other;
  other.kernel.spawn(other.a, sleep_for_ever(other, other.a, "gone"));
  other.kernel.spawn(other.a, sleep_for_ever(other, other.a, "watchdog gone"), true);
  other.at(5ms, [&] { other.kernel.crash(other.a); });
  EXPECT_EQ(other.run(), RunEnd::finished);
  EXPECT_EQ(other.kernel.foreground_count(), 0U);
  EXPECT_THAT(other.log, ElementsAre("gone 5", "watchdog gone 5"));
}

TEST_F(KernelCrash, ARestartCountsTheIncarnationAndKeepsTheClocks) {
  world.kernel.jump_clock(world.a, ClockKind::wall, 1h);
  world.at(5ms, [&] { world.kernel.crash(world.a); });
  world.at(9ms, [&] { world.kernel.restart(world.a); });
  world.run();
  EXPECT_TRUE(world.kernel.process(world.a).alive);
  EXPECT_EQ(world.kernel.process(world.a).incarnation, 1U);
  EXPECT_EQ(
      world.kernel.read_clock(world.a, ClockKind::wall) - world.kernel.read_clock(world.b, ClockKind::wall),
      1h);
  EXPECT_THAT(world.log, ElementsAre("crash 5", "restart 9", "reborn 10", "end 50"));
}

TEST_F(KernelCrash, RestartingOneThatLivesChangesNothing) {
  world.at(5ms, [&] { world.kernel.restart(world.a); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("end 50"));
}

TEST_F(KernelCrash, ARestartInTheSameInstantComesAfterTheBurial) {
  world.kernel.spawn(world.a, sleep_for_ever(world, world.a, "gone"));
  world.at(5ms, [&] {
    world.kernel.crash(world.a);
    world.kernel.restart(world.a);
  });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("gone 5", "crash 5", "restart 5", "reborn 6", "end 50"));
}

TEST_F(KernelCrash, ARestartInTheSameInstantKeepsTheRunGoing) {
  TestKernel other;
  const Witness listener(other, other.a);
  other.kernel.spawn(other.a, sleep_for_ever(other, other.a, "gone"));
  other.at(5ms, [&] {
    other.kernel.crash(other.a);
    other.kernel.restart(other.a);
  });
  EXPECT_EQ(other.run(), RunEnd::finished);
  EXPECT_THAT(other.log, Contains("reborn 6"));
}

TEST_F(KernelCrash, TwoProcessesCanDieInOneEvent) {
  world.kernel.spawn(world.a, sleep_for_ever(world, world.a, "a gone"));
  world.at(5ms, [&] {
    world.kernel.crash(world.a);
    world.kernel.crash(world.b);
  });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("a gone 5", "crash 5"));
  EXPECT_EQ(world.kernel.now(), 5ms);
}

}  // namespace
}  // namespace holdfast
