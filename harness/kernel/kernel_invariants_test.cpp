// What must hold in the kernel and the network: each test breaks one rule, and wants to be told which.
#include <gtest/gtest.h>

#include "harness/kernel/network.h"
#include "harness/kernel/test_kernel.h"

namespace holdfast::kernel_invariants_test {

class Letter final : public Message {
 public:
  void arrive() override {}
  void bounce() override {}

 private:
  void recycle() override {}
};

// Answers with one more than there is.
class LyingStrategy final : public Strategy {
 public:
  void open(StreamId, const StreamName&) override {}
  std::uint64_t pick(StreamId, std::uint64_t options) override { return options; }
};

template <typename Action>
std::string broken_by(const Action& action) {
  try {
    action();
  } catch (const BrokenInvariant& broken) {
    return broken.what();
  }
  return "nothing was broken";
}

#define EXPECT_BREAKS(action, must_hold) \
  EXPECT_NE(broken_by([&] { action; }).find(must_hold), std::string::npos) << broken_by([&] { action; })

class KernelInvariants : public ::testing::Test {
 protected:
  KernelInvariants() { network.reset({}); }

  TestKernel world;
  Network network{world.kernel};
};

TEST_F(KernelInvariants, ARunIsLetCloseAsOftenAsItWasHeldOpen) {
  world.kernel.hold_open();
  world.kernel.let_close();
  EXPECT_BREAKS(world.kernel.let_close(), "only as often as it was held open");
}

TEST_F(KernelInvariants, ALinkIsMendedAsOftenAsItWasCut) {
  network.cut(world.a, world.b);
  network.mend(world.a, world.b);
  EXPECT_BREAKS(network.mend(world.a, world.b), "only as often as it was cut");
}

TEST_F(KernelInvariants, ALinkIsLetGoAsOftenAsItWasHeld) {
  network.hold(world.a, world.b);
  network.let_go(world.a, world.b);
  EXPECT_BREAKS(network.let_go(world.a, world.b), "only as often as it was held");
}

TEST_F(KernelInvariants, LatencyIsTakenAwayWhereItWasAdded) {
  network.add_latency(world.a, world.b, 5ms);
  network.add_latency(world.a, world.b, -5ms);
  EXPECT_BREAKS(network.add_latency(world.a, world.b, -5ms), "no more latency is taken away");
}

TEST_F(KernelInvariants, ALinkJoinsProcessesOfThisRun) {
  EXPECT_BREAKS(network.hold(world.a, static_cast<ProcessId>(99)), "two processes of this run");
}

TEST_F(KernelInvariants, AMessageIsLetGoAsOftenAsItWasKept) {
  Letter letter;
  letter.retain();
  letter.release();
  EXPECT_BREAKS(letter.release(), "only as often as it was kept");
}

TEST_F(KernelInvariants, OnlyProcessesOfThisRunAreAskedAbout) {
  EXPECT_BREAKS(world.kernel.process(static_cast<ProcessId>(99)), "a process of this run");
  EXPECT_BREAKS(world.kernel.pause(static_cast<ProcessId>(99)), "a process of this run");
}

TEST_F(KernelInvariants, NoClockRunsBackwards) {
  EXPECT_BREAKS(world.kernel.set_clock_rate(world.a, ClockKind::wall, -1), "no clock runs backwards");
}

TEST_F(KernelInvariants, WhatIsScheduledCanBeCarriedOut) {
  EXPECT_BREAKS(world.kernel.call_at(world.a, 1ms, nullptr, nullptr, 0), "can be called");
  EXPECT_BREAKS(world.kernel.resume_soon(world.a, nullptr), "can be resumed");
}

TEST_F(KernelInvariants, AStrategyPicksWhatItWasOffered) {
  LyingStrategy liar;
  world.kernel.stop();
  world.kernel.reset(liar);
  const StreamId stream = world.kernel.choices().open({"anything", 0, 0});
  EXPECT_BREAKS(world.kernel.choices().choose(stream, 3), "one of the options it was given");
  EXPECT_BREAKS(world.kernel.choices().choose(static_cast<StreamId>(7), 3), "a stream that was opened");
}

TEST_F(KernelInvariants, NobodyTakesFromAnEmptyQueue) {
  EventQueue queue;
  EXPECT_BREAKS(queue.pop(), "taken out of it");
  EXPECT_BREAKS(queue.top(), "has a first entry");
}

TEST_F(KernelInvariants, NobodyOwesASemaphore) {
  EXPECT_BREAKS(Semaphore(world.kernel, world.a, -1), "nobody owes a semaphore permits");
}

}  // namespace holdfast::kernel_invariants_test
