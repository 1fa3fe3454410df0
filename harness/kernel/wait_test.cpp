// The semaphore: first come, first served, deadlines on the process's clock, and waiters that die waiting.
#include "harness/kernel/wait.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/kernel/test_kernel.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;

class SemaphoreTest : public ::testing::Test {
 protected:
  ~SemaphoreTest() override { world.kernel.stop(); }

  Task<> acquire(std::string_view name, std::optional<Duration> patience) {
    const Duration now = world.kernel.read_clock(world.a, ClockKind::monotonic);
    std::optional<Duration> deadline;
    if (patience) {
      deadline = now + *patience;
    }
    const bool got = co_await semaphore.acquire(deadline);
    world.note(std::string(name) + (got ? " got it" : " gave up"));
  }
  std::size_t spawn(std::string_view name, std::optional<Duration> patience = std::nullopt) {
    return world.kernel.spawn(world.a, acquire(name, patience));
  }

  TestKernel world;
  Semaphore semaphore{world.kernel, world.a, 0};
};

TEST_F(SemaphoreTest, ServesWaitersInTheOrderTheyCame) {
  spawn("first");
  spawn("second");
  world.at(5ms, [&] { semaphore.release(); });
  world.at(6ms, [&] { semaphore.release(); });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("first got it 5", "second got it 6"));
}

TEST_F(SemaphoreTest, KeepsAPermitThatNobodyWaitsFor) {
  semaphore.release();
  EXPECT_EQ(semaphore.permits(), 1);
  spawn("late");
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("late got it 0"));
  EXPECT_EQ(semaphore.permits(), 0);
}

TEST_F(SemaphoreTest, AReleasedPermitBelongsToTheOneWhoWaited) {
  spawn("waiter");
  world.at(5ms, [&] {
    semaphore.release();
    EXPECT_FALSE(semaphore.try_acquire());
  });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("waiter got it 5"));
}

TEST_F(SemaphoreTest, TryAcquireTakesWhatIsFreeAndNoMore) {
  EXPECT_FALSE(semaphore.try_acquire());
  semaphore.release();
  EXPECT_TRUE(semaphore.try_acquire());
  EXPECT_FALSE(semaphore.try_acquire());
}

TEST_F(SemaphoreTest, GivesUpAtItsDeadlineAndLeavesTheQueue) {
  spawn("impatient", 5ms);
  spawn("patient");
  world.at(10ms, [&] { semaphore.release(); });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("impatient gave up 5", "patient got it 10"));
  EXPECT_EQ(semaphore.permits(), 0);
}

TEST_F(SemaphoreTest, APermitThatComesAtTheDeadlineButBeforeTheTimerIsTaken) {
  world.at(5ms, [&] { semaphore.release(); });
  spawn("waiter", 5ms);
  world.run();
  EXPECT_THAT(world.log, ElementsAre("waiter got it 5"));
}

TEST_F(SemaphoreTest, TheDeadlineIsOnTheProcesssMonotonicClock) {
  world.kernel.set_clock_rate(world.a, ClockKind::monotonic, Clock::true_rate / 2);
  spawn("slow", 5ms);
  world.run();
  EXPECT_THAT(world.log, ElementsAre("slow gave up 10"));
}

TEST_F(SemaphoreTest, AWaiterThatDiesIsPassedOver) {
  const std::size_t victim = spawn("victim");
  spawn("next");
  world.at(3ms, [&] { world.kernel.kill_thread(world.a, victim); });
  world.at(5ms, [&] { semaphore.release(); });
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("next got it 5"));
}

TEST_F(SemaphoreTest, ACrashWithManyWaitingLeavesAnEmptyQueue) {
  spawn("one");
  spawn("two", 1h);
  spawn("three");
  world.at(3ms, [&] { world.kernel.crash(world.a); });
  EXPECT_EQ(world.run(), RunEnd::finished);
  semaphore.release();
  EXPECT_EQ(semaphore.permits(), 1);
}

TEST_F(SemaphoreTest, AWaiterThatWasPausedPastItsDeadlineGivesUpOnResuming) {
  spawn("paused", 5ms);
  world.at(1ms, [&] { world.kernel.pause(world.a); });
  world.at(20ms, [&] { world.kernel.resume(world.a); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("paused gave up 20"));
}

}  // namespace
}  // namespace holdfast
