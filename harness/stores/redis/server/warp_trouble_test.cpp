// A real server that does not answer any more, whatever made it so: one sentence, nothing hangs, and the next
// run has a server again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "harness/machine/process/live_error.h"
#include "harness/machine/process/send_signal.h"
#include "harness/stores/redis/server/real_node.h"

namespace holdfast::live {
namespace warp_trouble_test {

using redis::make_command;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::int64_t some_time_us = 1'767'225'600'000'000;

class WarpTrouble : public testing::Test {
 protected:
  std::string execute(const redis::Command& command, ConnectionId connection = 1) {
    const auto reply = node.submit({command, connection}, clocks, outputs);
    return reply ? to_text(*reply) : "waits";
  }

  RealNode node{RealNodeOptions{.patience_seconds = 1}};
  const NodeClocks clocks{std::chrono::microseconds(some_time_us), 0ns};
  redis::Node::Outputs outputs;
};

TEST_F(WarpTrouble, ACommandThatBlocksNeverHindersTheNextRun) {
  EXPECT_EQ(execute(make_command("BLPOP", "queue", 0)), "waits");
  node.begin_run();
  EXPECT_EQ(execute(make_command("RPUSH", "queue", "for nobody")), "1");
  EXPECT_EQ(execute(make_command("LLEN", "queue")), "1");
  EXPECT_TRUE(outputs.empty());
}

TEST_F(WarpTrouble, ACommandThatHoldsTheServerUpIsOneSentence) {
  EXPECT_THAT(
      [&] { execute(make_command("DEBUG", "SLEEP", 30)); },
      ThrowsMessage<LiveError>(AllOf(HasSubstr("has not answered DEBUG for 1 s"), HasSubstr("blocks"))));
  EXPECT_NO_THROW(node.close(1, clocks, outputs));  // as a run that is torn down does
  node.begin_run();
  EXPECT_EQ(execute(make_command("PING")), "PONG");
}

TEST_F(WarpTrouble, AScriptWithoutAnEndIsOneSentence) {
  EXPECT_THAT([&] { execute(make_command("EVAL", "while true do end", 0)); },
              ThrowsMessage<LiveError>(HasSubstr("has not answered EVAL for 1 s")));
  node.begin_run();
  EXPECT_EQ(execute(make_command("PING")), "PONG");
}

TEST_F(WarpTrouble, AServerThatWasStoppedBetweenRunsIsToldOfByTheNext) {
  execute(make_command("PING"));
  ASSERT_TRUE(send_signal(node.process(), SIGSTOP));
  EXPECT_NO_THROW(node.close(1, clocks, outputs));
  EXPECT_THAT([&] { node.begin_run(); },
              ThrowsMessage<LiveError>(HasSubstr("has not answered RESET for 1 s")));
  node.begin_run();
  EXPECT_EQ(execute(make_command("PING")), "PONG");
}

}  // namespace warp_trouble_test
}  // namespace holdfast::live
