// Real servers of a run: who is primary, what a failover keeps and loses, and what is said when one dies.
#include "harness/live/control/live_servers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <string>

#include "harness/machine/process/live_error.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/stores/redis/server/test_password.h"

namespace holdfast::live {
namespace live_servers_test {

using ::testing::HasSubstr;

class LiveServersTest : public ::testing::Test {
 protected:
  LiveServersOptions options(std::size_t replicas) {
    return {.servers = 1, .replicas = replicas, .directory = directory.path(), .shim = {}};
  }
  // Asks the node that was started as the given one.
  std::string ask(int number, const redis::Command& command) {
    const auto socket = directory.path() / ("redis-" + std::to_string(number)) / "redis.sock";
    return to_text(ask_by_socket(socket, command));
  }
  void run_for(std::chrono::milliseconds time) { context.run_for(time); }

  TemporaryDirectory directory;
  boost::asio::io_context context;
};

TEST_F(LiveServersTest, AServerThatDiesIsOneSentence) {
  LiveServers servers(context, options(0));
  EXPECT_NO_THROW(servers.look_after());
  servers.signal(0, SIGKILL);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  std::string sentence;
  while (sentence.empty() && std::chrono::steady_clock::now() < deadline) {
    try {
      servers.look_after();
    } catch (const LiveError& error) {
      sentence = error.what();
    }
  }
  EXPECT_THAT(sentence, HasSubstr("redis-server ended with signal 9 in the middle of the run"));
}

TEST_F(LiveServersTest, ADeadServerIsNobodysPrimaryUntilItIsStartedAgain) {
  LiveServers servers(context, options(0));
  ASSERT_TRUE(servers.primary(0).has_value());
  servers.kill(0);
  EXPECT_FALSE(servers.primary(0).has_value());
  EXPECT_NO_THROW(servers.look_after());
  servers.start(0);
  EXPECT_TRUE(servers.primary(0).has_value());
}

TEST_F(LiveServersTest, AFailoverOverACutLinkLosesWhatWasWrittenSince) {
  LiveServers servers(context, options(1));
  ask(1, redis::make_command("SET", "before", "1"));
  for (int tries = 0; tries < 1000 && ask(2, redis::make_command("GET", "before")) != "\"1\""; ++tries) {
    run_for(std::chrono::milliseconds(5));
  }
  Network::LinkState cut;
  cut.cuts = 1;
  servers.follow(1, {}, cut);
  ask(1, redis::make_command("SET", "since", "1"));
  run_for(std::chrono::milliseconds(50));
  const auto old_primary = servers.primary(0);
  servers.kill(0);
  servers.promote(0, 1);
  EXPECT_NE(servers.primary(0), old_primary);
  EXPECT_EQ(servers.primary_node(0), 1U);
  EXPECT_EQ(ask(2, redis::make_command("GET", "before")), "\"1\"");
  EXPECT_EQ(ask(2, redis::make_command("GET", "since")), "(nil)");
  EXPECT_EQ(ask(2, redis::make_command("SET", "after", "1")), "OK");
}

}  // namespace live_servers_test
}  // namespace holdfast::live
