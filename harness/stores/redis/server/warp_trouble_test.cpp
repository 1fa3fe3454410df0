// A real server that does not answer any more, whatever made it so: one sentence, nothing hangs, and the next
// run has a server again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "harness/machine/process/live_error.h"
#include "harness/machine/process/send_signal.h"
#include "harness/stores/redis/server/warp_backend.h"

namespace holdfast::live {
namespace warp_trouble_test {

using redis::make_command;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::int64_t some_time_us = 1'767'225'600'000'000;

class WarpTrouble : public testing::Test {
 protected:
  redis::Reply execute(const redis::Command& command) {
    return backend.execute(1, command, some_time_us, pushes);
  }

  WarpBackend backend{WarpOptions{.patience_seconds = 1}};
  std::vector<redis::Push> pushes;
};

TEST_F(WarpTrouble, ACommandThatBlocksIsOneSentence) {
  EXPECT_THAT(
      [&] { execute(make_command("BLPOP", "queue", 0)); },
      ThrowsMessage<LiveError>(AllOf(HasSubstr("has not answered BLPOP for 1 s"), HasSubstr("blocks"))));
  EXPECT_NO_THROW(backend.disconnect(1));  // as a run that is torn down does
  backend.begin_run();
  EXPECT_EQ(to_text(execute(make_command("PING"))), "PONG");
}

TEST_F(WarpTrouble, AScriptWithoutAnEndIsOneSentence) {
  EXPECT_THAT([&] { execute(make_command("EVAL", "while true do end", 0)); },
              ThrowsMessage<LiveError>(HasSubstr("has not answered EVAL for 1 s")));
  backend.begin_run();
  EXPECT_EQ(to_text(execute(make_command("PING"))), "PONG");
}

TEST_F(WarpTrouble, AServerThatWasStoppedBetweenRunsIsToldOfByTheNext) {
  execute(make_command("PING"));
  ASSERT_TRUE(send_signal(backend.process(), SIGSTOP));
  EXPECT_NO_THROW(backend.disconnect(1));
  EXPECT_THAT([&] { backend.begin_run(); },
              ThrowsMessage<LiveError>(HasSubstr("has not answered RESET for 1 s")));
  backend.begin_run();
  EXPECT_EQ(to_text(execute(make_command("PING"))), "PONG");
}

}  // namespace warp_trouble_test
}  // namespace holdfast::live
