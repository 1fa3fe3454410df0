// Tasks: lazy, awaited once, destroyed as a stack, and cheap on the native one.
#include "harness/kernel/task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "harness/kernel/frame_pool.h"
#include "harness/kernel/test_kernel.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;

Task<int> answer(TestKernel& world) {
  world.note("asked");
  co_return 42;
}

TEST(Task, RunsNothingBeforeItIsAwaited) {
  TestKernel world;
  const auto late = [](TestKernel& test) -> Task<> {
    Task<int> task = answer(test);  // NOLINT(misc-const-correctness): it is awaited
    test.note("made");
    EXPECT_FALSE(task.done());
    EXPECT_EQ(co_await task, 42);
    EXPECT_TRUE(task.done());
  };
  world.kernel.spawn(world.a, late(world));
  world.run();
  EXPECT_THAT(world.log, ElementsAre("made 0", "asked 0"));
}

TEST(Task, CarriesAValueThatCanOnlyBeMoved) {
  TestKernel world;
  const auto make = []() -> Task<std::unique_ptr<std::string>> {
    co_return std::make_unique<std::string>("moved");
  };
  const auto use = [](TestKernel& test, Task<std::unique_ptr<std::string>> task) -> Task<> {
    const std::unique_ptr<std::string> value = co_await task;
    test.note(*value);
  };
  world.kernel.spawn(world.a, use(world, make()));
  world.run();
  EXPECT_THAT(world.log, ElementsAre("moved 0"));
}

Task<> throw_later(TestKernel& world) {
  const Farewell farewell(world, "thrower gone");
  co_await Sleep(world.kernel, world.a, ClockKind::wall,
                 world.kernel.read_clock(world.a, ClockKind::wall) + 3ms);
  throw std::runtime_error("a bug in the harness");
}

Task<> await_thrower(TestKernel& world) {
  const Farewell farewell(world, "awaiter gone");
  co_await throw_later(world);
  world.note("never");
}

TEST(Task, AnExceptionLeavesThroughTheEventLoopAndTheNextRunIsClean) {
  TestKernel world;
  world.kernel.spawn(world.a, await_thrower(world));
  EXPECT_THROW(world.run(), std::runtime_error);
  world.kernel.stop();
  EXPECT_THAT(world.log, ElementsAre("thrower gone 3", "awaiter gone 3"));
  world.reset();
  world.kernel.spawn(world.a, sleep_and_note(world, world.a, ClockKind::wall, 1ms, "next run"));
  EXPECT_EQ(world.run(), RunEnd::finished);
  EXPECT_THAT(world.log, ElementsAre("next run 1"));
}

TEST(Task, DestroyingOneThatNeverRanReleasesWhatItWasGiven) {
  const auto guarded = [](std::shared_ptr<int> resource) -> Task<> {
    ++*resource;
    co_return;
  };
  const auto resource = std::make_shared<int>(0);
  {
    const Task<> task = guarded(resource);
    EXPECT_EQ(resource.use_count(), 2);
  }
  EXPECT_EQ(resource.use_count(), 1);
  EXPECT_EQ(*resource, 0);
}

Task<std::uint64_t> one() {
  co_return 1;
}

Task<std::uint64_t> chain(std::uint64_t length) {
  if (length == 0) {
    co_return 0;
  }
  co_return 1 + co_await chain(length - 1);
}

// GCC turns the transfer of control into a jump only when it optimises and nothing instruments the code.
constexpr bool transfers_by_jump =
#if defined(__OPTIMIZE__) && !defined(HOLDFAST_SANITIZED)
    true;
#else
    false;
#endif

TEST(Task, ManyAwaitsThatNeverSuspendNeedNoNativeStack) {
  if (!transfers_by_jump) {
    GTEST_SKIP() << "this build calls where an optimised one jumps";
  }
  TestKernel world;
  const auto sum = [](std::uint64_t& total) -> Task<> {
    for (int index = 0; index < 1'000'000; ++index) {
      total += co_await one();
    }
  };
  std::uint64_t total = 0;
  world.kernel.spawn(world.a, sum(total));
  world.run();
  EXPECT_EQ(total, 1'000'000U);
}

TEST(Task, ADeepChainOfAwaitsNeedsNoNativeStack) {
  if (!transfers_by_jump) {
    GTEST_SKIP() << "this build calls where an optimised one jumps";
  }
  TestKernel world;
  const auto count = [](std::uint64_t& length) -> Task<> { length = co_await chain(100'000); };
  std::uint64_t length = 0;
  world.kernel.spawn(world.a, count(length));
  world.run();
  EXPECT_EQ(length, 100'000U);
}

TEST(FramePool, GivesBackTheMemoryOfTheSameSizeFirst) {
#ifdef HOLDFAST_SANITIZED
  GTEST_SKIP() << "under AddressSanitizer the pool steps aside";
#else
  void* const first = frame_pool::allocate(200);
  void* const second = frame_pool::allocate(200);
  EXPECT_NE(first, second);
  frame_pool::release(first, 200);
  frame_pool::release(second, 200);
  EXPECT_EQ(frame_pool::allocate(193), second);  // of the same class of sizes
  EXPECT_EQ(frame_pool::allocate(200), first);
  frame_pool::release(first, 200);
  frame_pool::release(second, 200);
#endif
}

TEST(FramePool, HandsOutMemoryThatCanBeWrittenToItsEnd) {
  for (const std::size_t size : {1U, 63U, 64U, 65U, 3071U, 3072U, 3073U, 100'000U}) {
    auto* const memory = static_cast<unsigned char*>(frame_pool::allocate(size));
    std::fill(memory, memory + size, static_cast<unsigned char>(0xab));
    EXPECT_EQ(memory[size - 1], 0xab);
    frame_pool::release(memory, size);
  }
}

}  // namespace
}  // namespace holdfast
