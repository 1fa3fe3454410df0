// Several programs at rest together, and what is left of them when we end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <chrono>
#include <thread>

#include "harness/machine/process/child.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/rest/test_held.h"
#include "harness/machine/rest/test_socket.h"

namespace holdfast::rest {
namespace together_test {

using namespace test_held;

class TogetherTest : public Held {
 protected:
  // Three relays, the first of which we talk to, and the last of which says what arrived.
  void start_relays(Supervisor& supervisor) {
    const std::string relay = compiled(directory_, "relay.c");
    start(supervisor, {relay, "a", "b"});
    start(supervisor, {relay, "b", "c"});
    start(supervisor, {relay, "c"});
    supervisor.settle();
    supervisor.advance_to(10 * second_ns);
    ASSERT_TRUE(socket_.dial(directory_.path() / "a"));
    supervisor.settle();
  }

  TestSocket socket_;
};

TEST_F(TogetherTest, AMessageHasPassedThroughAllOfThemAtTheNextRest) {
  for (const bool one_at_a_time : {true, false}) {
    Supervisor supervisor({.one_at_a_time = one_at_a_time});
    start_relays(supervisor);
    std::string expected;
    for (int round = 0; round < 50; ++round) {
      const std::string message = "message " + std::to_string(round) + " ";
      supervisor.deliver(socket_.get(), message);
      expected += message + "abc\n";
      ASSERT_EQ(said(2), expected);
    }
    EXPECT_EQ(supervisor.figures().impatient, 0U);
    for (const char* name : {"a", "b", "c", "said-0", "said-1", "said-2"}) {
      std::filesystem::remove(directory_.path() / name);
    }
  }
}

TEST_F(TogetherTest, OneThatIsOnHoldKeepsTheMessage) {
  Supervisor supervisor;
  start_relays(supervisor);
  supervisor.hold(1);
  supervisor.deliver(socket_.get(), "x ");
  EXPECT_EQ(said(2), "");
  supervisor.let_go(1);
  EXPECT_EQ(said(2), "x abc\n");
}

TEST_F(TogetherTest, OneThatIsKilledIsNoTrouble) {
  Supervisor supervisor;
  start_relays(supervisor);
  supervisor.kill(1);
  supervisor.deliver(socket_.get(), "x ");
  EXPECT_FALSE(supervisor.is_running(1));
  EXPECT_EQ(supervisor.process(1).ending(), "signal 9");
  EXPECT_TRUE(supervisor.is_running(0));
  EXPECT_EQ(said(2), "");
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    count += each.path().empty() ? 0 : 1;
  }
  return count;
}

TEST_F(TogetherTest, NoDescriptorIsLeftOpen) {
  const std::size_t before = open_descriptors();
  {
    Supervisor supervisor;
    start_relays(supervisor);
    supervisor.deliver(socket_.get(), "x ");
    const std::size_t during = open_descriptors();
    for (int round = 0; round < 50; ++round) {
      supervisor.deliver(socket_.get(), "x ");
    }
    EXPECT_EQ(open_descriptors(), during);
  }
  socket_.close();
  EXPECT_EQ(open_descriptors(), before);
}

// A figure to read, not a test: a step is a message delivered to a program of two threads, to its next rest.
TEST_F(TogetherTest, ShowsHowManyStepsASecondThereAre) {
  for (const bool one_at_a_time : {true, false}) {
    Supervisor supervisor({.one_at_a_time = one_at_a_time});
    start(supervisor, {compiled(directory_, "relay.c"), "a"});
    supervisor.settle();
    ASSERT_TRUE(socket_.dial(directory_.path() / "a"));
    supervisor.settle();
    constexpr int steps = 1000;
    const auto began = std::chrono::steady_clock::now();
    for (int step = 0; step < steps; ++step) {
      supervisor.deliver(socket_.get(), "x");
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    fmt::print("{:.0f} steps/s at rest, {}\n", steps / took.count(),
               one_at_a_time ? "one thread at a time" : "all that can go");
    std::filesystem::remove(directory_.path() / "a");
  }
}

// Not a test by itself: what the next one starts, in a process of its own.
TEST_F(TogetherTest, DISABLED_StandsStillUntilItIsKilled) {
  Supervisor supervisor;
  start_relays(supervisor);
  for (;;) {
    supervisor.settle();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

TEST_F(TogetherTest, NothingIsLeftOfARunThatIsKilled) {
  const live::TestPlace place;
  live::ChildOptions options;
  options.arguments = {std::filesystem::read_symlink("/proc/self/exe").string(),
                       "--gtest_also_run_disabled_tests",
                       "--gtest_filter=TogetherTest.DISABLED_StandsStillUntilItIsKilled"};
  options.environment = {{"GTEST_TOTAL_SHARDS", "1"}, {"GTEST_SHARD_INDEX", "0"}};  // ours may be a share
  live::Child run(options);
  EXPECT_TRUE(live::TestPlace::becomes_true([&] {
    return place.processes_called("/relay a b").size() == 1 && place.processes_called("/relay c").size() == 1;
  }));
  run.kill();
  EXPECT_TRUE(live::TestPlace::becomes_true([&] { return place.what_is_left().empty(); }))
      << place.what_is_left();
}

}  // namespace together_test
}  // namespace holdfast::rest
