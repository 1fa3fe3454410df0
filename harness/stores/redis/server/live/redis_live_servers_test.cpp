// Real servers of a run: who is primary, what a failover keeps and loses, and what is said when one dies.
#include "harness/stores/redis/server/live/redis_live_servers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <string>

#include "harness/machine/process/live_error.h"
#include "harness/machine/process/send_signal.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/stores/redis/server/info.h"
#include "harness/stores/redis/server/test_password.h"

namespace holdfast::live {
namespace live_servers_test {

using ::testing::HasSubstr;

class LiveServersTest : public ::testing::Test {
 protected:
  LiveServersSetup setup(std::size_t replicas) {
    plan = {.servers = 1, .replicas = replicas, .options = {}};
    return {.context = context, .plan = plan, .directory = directory.path(), .programs = programs};
  }
  // Asks the node that was started as the given one.
  std::string ask(int number, const redis::Command& command) {
    const auto socket = directory.path() / ("redis-" + std::to_string(number)) / "redis.sock";
    return to_text(ask_by_socket(socket, command));
  }
  // What is said while it is looked after for so long; empty: nothing.
  static std::string said_within(RedisLiveServers& servers, std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
      try {
        servers.look_after();
      } catch (const LiveError& error) {
        return error.what();
      }
    }
    return "";
  }
  void run_for(std::chrono::milliseconds time) { context.run_for(time); }

  TemporaryDirectory directory;
  boost::asio::io_context context;
  ServersPlan plan;
  const ServerPrograms programs;
};

TEST_F(LiveServersTest, AServerThatDiesIsOneSentence) {
  RedisLiveServers servers(setup(0));
  EXPECT_NO_THROW(servers.look_after());
  servers.signal(0, SIGKILL);
  EXPECT_THAT(said_within(servers, 10s),
              HasSubstr("redis-server ended with signal 9 in the middle of the run"));
}

TEST_F(LiveServersTest, AServerThatSomebodyElseStoppedIsOneSentenceAndOneThatAFaultPausedIsNot) {
  LiveServersSetup impatient = setup(0);
  impatient.patience_with_stopped = 1s;
  RedisLiveServers servers(impatient);
  const redis::Reply info =
      ask_by_socket(directory.path() / "redis-1" / "redis.sock", redis::make_command("INFO", "server"));
  const auto pid = static_cast<pid_t>(info_number(info.text, "process_id"));
  ASSERT_GT(pid, 1);
  servers.signal(0, SIGSTOP);
  EXPECT_EQ(said_within(servers, 1500ms), "");
  EXPECT_NO_THROW(servers.look_at_the_end());
  servers.signal(0, SIGCONT);
  send_signal(pid, SIGSTOP);
  EXPECT_EQ(said_within(servers, 600ms), "");
  EXPECT_THROW(servers.look_at_the_end(), LiveError);
  send_signal(pid, SIGCONT);  // just in time
  EXPECT_EQ(said_within(servers, 600ms), "");
  send_signal(pid, SIGSTOP);
  EXPECT_EQ(said_within(servers, 10s), "redis-server (process " + std::to_string(pid) +
                                           ") was stopped by somebody else, and has not gone on for 1 s.");
}

TEST_F(LiveServersTest, ADeadServerIsNobodysPrimaryUntilItIsStartedAgain) {
  RedisLiveServers servers(setup(0));
  ASSERT_TRUE(servers.target(0).has_value());
  servers.kill(0);
  EXPECT_FALSE(servers.target(0).has_value());
  EXPECT_NO_THROW(servers.look_after());
  servers.start(0);
  EXPECT_TRUE(servers.target(0).has_value());
}

TEST_F(LiveServersTest, AFailoverOverACutLinkLosesWhatWasWrittenSince) {
  RedisLiveServers servers(setup(1));
  ask(1, redis::make_command("SET", "before", "1"));
  for (int tries = 0; tries < 1000 && ask(2, redis::make_command("GET", "before")) != "\"1\""; ++tries) {
    run_for(std::chrono::milliseconds(5));
  }
  Network::LinkState cut;
  cut.cuts = 1;
  servers.follow(1, {}, cut);
  ask(1, redis::make_command("SET", "since", "1"));
  run_for(std::chrono::milliseconds(50));
  const auto old_primary = servers.target(0);
  servers.kill(0);
  servers.promote(0, 1);
  EXPECT_NE(servers.target(0), old_primary);
  EXPECT_EQ(servers.serving(0), 1U);
  EXPECT_EQ(ask(2, redis::make_command("GET", "before")), "\"1\"");
  EXPECT_EQ(ask(2, redis::make_command("GET", "since")), "(nil)");
  EXPECT_EQ(ask(2, redis::make_command("SET", "after", "1")), "OK");
}

}  // namespace live_servers_test
}  // namespace holdfast::live
