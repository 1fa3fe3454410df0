// A real redis-server: it comes up, dies, comes back with what its policy kept, and says why it cannot start.
#include "harness/live/redis/redis_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "harness/live/process/live_error.h"
#include "harness/live/process/temporary_directory.h"
#include "harness/live/redis/connection.h"
#include "harness/stores/redis/command.h"

namespace holdfast::live {
namespace redis_server_test {

using redis::make_command;

std::string ask(const RedisServer& server, const redis::Command& command) {
  return redis::to_text(Connection(server.socket()).execute(command));
}

TEST(RedisServer, AnswersOnItsSocketAndSaysItsVersion) {
  const TemporaryDirectory directory;
  RedisServer server({.directory = directory.path(), .environment = {}, .settings = {}});
  EXPECT_TRUE(server.is_running());
  EXPECT_THAT(server.version(), testing::StartsWith("7."));
  EXPECT_EQ(ask(server, make_command("SET", "a", "1")), "OK");
  EXPECT_EQ(ask(server, make_command("GET", "a")), "\"1\"");
}

TEST(RedisServer, ComesBackWithWhatItsPolicyKept) {
  for (const auto policy : {redis::AppendOnly::never, redis::AppendOnly::always}) {
    const TemporaryDirectory directory;
    RedisServer server(
        {.directory = directory.path(), .append_only = policy, .environment = {}, .settings = {}});
    ask(server, make_command("SET", "a", "1"));
    server.kill();
    EXPECT_FALSE(server.is_running());
    EXPECT_THAT(server.why_it_ended(), testing::HasSubstr("signal 9"));
    server.start();
    EXPECT_EQ(ask(server, make_command("GET", "a")), policy == redis::AppendOnly::always ? "\"1\"" : "(nil)");
  }
}

TEST(RedisServer, ListensOnAPortOfItsOwn) {
  const TemporaryDirectory one_directory;
  const TemporaryDirectory other_directory;
  const RedisServer one(
      {.directory = one_directory.path(), .listens = true, .environment = {}, .settings = {}});
  const RedisServer other(
      {.directory = other_directory.path(), .listens = true, .environment = {}, .settings = {}});
  EXPECT_GT(one.port(), 0);
  EXPECT_NE(one.port(), other.port());
}

TEST(RedisServer, ThatCannotComeUpSaysWhy) {
  const TemporaryDirectory directory;
  EXPECT_THAT(
      [&] { RedisServer({.directory = directory.path(), .environment = {}, .settings = {"nonsense 1"}}); },
      testing::ThrowsMessage<LiveError>(testing::AllOf(
          testing::StartsWith("redis-server ended with exit code 1"), testing::HasSubstr("nonsense"))));
}

TEST(Connection, ThatNobodyAnswersIsOneSentence) {
  EXPECT_THAT([] { Connection("/no/such/socket"); },
              testing::ThrowsMessage<LiveError>(testing::HasSubstr("/no/such/socket does not answer")));
}

TEST(Connection, ThatBreaksIsOneSentence) {
  const TemporaryDirectory directory;
  RedisServer server({.directory = directory.path(), .environment = {}, .settings = {}});
  Connection connection(server.socket());
  server.kill();
  EXPECT_THROW(connection.execute(make_command("PING")), LiveError);
}

}  // namespace redis_server_test
}  // namespace holdfast::live
