// Servers that the user already has: what a run does there carries its mark, and what else is there stays.
#include "harness/stores/redis/server/live/redis_user_servers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "harness/live/control/live_run.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/scenario/file/load.h"
#include "harness/scenario/shelf/shelf.h"
#include "harness/stores/redis/server/connection.h"
#include "harness/stores/redis/server/live/visit.h"
#include "harness/stores/redis/server/redis_server.h"
#include "harness/stores/redis/wire/resp.h"
#include "locks/lookup/lookup.h"

namespace holdfast::live {
namespace user_servers_test {

using redis::make_command;
using ::testing::AnyOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

class UserServersTest : public ::testing::Test {
 protected:
  UserServersTest()
      : server({.directory = directory.path(), .listens = true, .settings = {"databases 2"}}),
        connection(server) {}

  std::string ask(const redis::Command& command) { return to_text(connection.execute(command)); }
  std::string endpoint() const { return "127.0.0.1:" + std::to_string(server.port()); }
  void require_password() { ask(make_command("CONFIG", "SET", "requirepass", "secret")); }
  auto visiting(const std::string& password) {
    return [this, password] { RedisUserServers({endpoint()}, password, "holdfast:1:"); };
  }

  // As a proxy sees it pass.
  static void pass(UserServers& servers, const redis::Command& command) {
    servers.make_wire()->feed(Direction::to_server, to_resp(command));
  }

  // Everything that is there, in both databases, and how the server is set.
  std::string all_there_is() {
    std::string all = ask(make_command("CONFIG", "GET", "*"));
    for (const char* database : {"0", "1"}) {
      ask(make_command("SELECT", database));
      all += "\n" + ask(make_command("DBSIZE"));
      for (const char* key : {"theirs", "lock", "holdfast", "queue"}) {
        all += "\n" + ask(make_command("DUMP", key)) + ask(make_command("PEXPIRETIME", key));
      }
    }
    return all;
  }
  void put_something_there() {
    for (const char* database : {"1", "0"}) {
      ask(make_command("SELECT", database));
      ask(make_command("SET", "theirs", database, "PXAT", 4'000'000'000'000));
      ask(make_command("SET", "lock", "another program's"));
      ask(make_command("HSET", "holdfast", "a", "1"));
      ask(make_command("RPUSH", "queue", "a", "b"));
    }
  }

  TemporaryDirectory directory;
  RedisServer server;
  Connection connection;
};

// What a server was told while this listened.
class Monitor {
 public:
  explicit Monitor(RedisServer& server) : server_(server), connection_(server) {
    connection_.execute(make_command("MONITOR"));
  }
  std::vector<std::string> commands() {
    Connection(server_).execute(make_command("ECHO", "the end"));
    std::vector<std::string> all;
    for (;;) {
      const std::string line = connection_.receive().text;
      const std::string command = line.substr(line.find('"'));
      if (command.starts_with("\"ECHO\"")) {
        return all;
      }
      all.push_back(command);
    }
  }

 private:
  RedisServer& server_;
  Connection connection_;
};

TEST_F(UserServersTest, ARunTouchesOnlyWhatCarriesItsMark) {
  const Scenario scenario =
      load_scenario(std::string(HOLDFAST_SOURCE_DIR) + "/scenarios/gc-pause-write.json", known_names());
  put_something_there();
  const std::string before = all_there_is();
  Monitor monitor(server);
  LiveRequest request;
  request.scenario = &scenario;
  request.endpoints = {endpoint()};
  request.client_command = {HOLDFAST_BINARY, "live-client"};
  LiveRun live;
  for (const char* lock : {"redis-px-cad", "redisson-fair"}) {
    request.lock = find_lock(lock);
    EXPECT_GT(live.run(request).grants, 0U) << lock;
  }
  const std::vector<std::string> commands = monitor.commands();
  EXPECT_GT(commands.size(), 20U);
  EXPECT_THAT(commands,
              Each(AnyOf(HasSubstr("holdfast:"), StartsWith("\"PING\""), StartsWith("\"INFO\" \"server\""),
                         StartsWith("\"INFO\" \"replication\""))));
  EXPECT_THAT(commands, Each(Not(AnyOf(StartsWith("\"FLUSH"), StartsWith("\"CONFIG"), StartsWith("\"SELECT"),
                                       StartsWith("\"SCRIPT")))));
  EXPECT_EQ(all_there_is(), before);
}

TEST_F(UserServersTest, ARunLogsInAndLeavesNothingThere) {
  const Scenario scenario =
      load_scenario(std::string(HOLDFAST_SOURCE_DIR) + "/scenarios/gc-pause-write.json", known_names());
  require_password();
  LiveRequest request;
  request.scenario = &scenario;
  request.endpoints = {endpoint()};
  request.client_command = {HOLDFAST_BINARY, "live-client"};
  request.lock = find_lock("redisson-fenced");
  request.password = "wrong";
  LiveRun live;
  EXPECT_THAT([&] { live.run(request); }, ThrowsMessage<LiveError>(HasSubstr("refuses the password")));
  request.password = "secret";
  EXPECT_GT(live.run(request).grants, 0U);
  EXPECT_EQ(live.servers(), endpoint());
  EXPECT_EQ(ask(make_command("DBSIZE")), "0");
}

TEST_F(UserServersTest, KeysOfTheRunAreDeletedAndNoOthers) {
  put_something_there();
  const std::string before = all_there_is();
  {
    const RedisUserServers servers({endpoint()}, "", "holdfast:1:");
    ask(make_command("SELECT", "0"));
    ask(make_command("SET", "holdfast:1:lock", "x"));
    ask(make_command("SET", "{holdfast:1:lock}:token", "x"));
    ask(make_command("SET", "holdfast:2:lock", "of another run"));
  }
  EXPECT_EQ(ask(make_command("EXISTS", "holdfast:1:lock", "{holdfast:1:lock}:token")), "0");
  EXPECT_EQ(ask(make_command("DEL", "holdfast:2:lock")), "1");
  EXPECT_EQ(all_there_is(), before);
}

TEST_F(UserServersTest, WhereNobodyMayLookForKeysTheNamedOnesGoAllTheSame) {
  ask(make_command("ACL", "SETUSER", "default", "-scan"));
  {
    RedisUserServers servers({endpoint()}, "", "holdfast:1:");
    pass(servers, make_command("SET", "holdfast:1:lock", "x"));
    ask(make_command("SET", "holdfast:1:lock", "x"));
  }
  EXPECT_EQ(ask(make_command("EXISTS", "holdfast:1:lock")), "0");
}

TEST_F(UserServersTest, AKeyWithoutATimeToLiveIsGivenOne) {
  RedisUserServers servers({endpoint()}, "", "holdfast:1:");
  ask(make_command("SET", "holdfast:1:lock", "x"));
  ask(make_command("SET", "theirs", "x"));
  pass(servers, make_command("SET", "holdfast:1:lock", "theirs"));
  for (int looks = 0; looks < 100 && ask(make_command("TTL", "holdfast:1:lock")) == "-1"; ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_NE(ask(make_command("TTL", "holdfast:1:lock")), "-1");
  EXPECT_EQ(ask(make_command("TTL", "theirs")), "-1");
}

// Whoever kills us and the keeper does so while clients are busy, most of all.
TEST_F(UserServersTest, AKeyIsGivenATimeToLiveWhileOthersAreWritten) {
  RedisUserServers servers({endpoint()}, "", "holdfast:1:");
  int without = 0;
  for (int number = 0; number < 40; ++number) {
    const std::string key = "holdfast:1:" + std::to_string(number);
    for (int again = 0; again < 2; ++again) {  // what is written anew has lost its time to live
      pass(servers, make_command("SET", key, "x"));
      ask(make_command("SET", key, "x"));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    without = 0;
    for (int earlier = 0; earlier <= number; ++earlier) {
      without += ask(make_command("TTL", "holdfast:1:" + std::to_string(earlier))) == "-1" ? 1 : 0;
    }
  }
  EXPECT_LT(without, 20) << "of 40 keys that were written in the last second";
}

// It takes a while to find out that it does; what is said meanwhile must not wait for that one by one.
TEST_F(UserServersTest, OneThatStandsStillKeepsNothingOnTheOthers) {
  const TemporaryDirectory directory;
  RedisServer still({.directory = directory.path(), .listens = true, .settings = {}});
  const auto start = std::chrono::steady_clock::now();
  {
    RedisUserServers servers({"127.0.0.1:" + std::to_string(still.port()), endpoint()}, "", "holdfast:1:");
    still.signal(SIGSTOP);
    for (int number = 0; number < 500; ++number) {
      const std::string key = "holdfast:1:" + std::to_string(number);
      pass(servers, make_command("SET", key, "x"));
      ask(make_command("SET", key, "x"));
    }
  }
  EXPECT_EQ(ask(make_command("EXISTS", "holdfast:1:0", "holdfast:1:499")), "0");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
  still.signal(SIGCONT);
}

TEST_F(UserServersTest, OneThatDoesNotAnswerAtTheEndOfARunIsOneSentence) {
  RedisUserServers servers({endpoint()}, "", "holdfast:1:");
  EXPECT_NO_THROW(servers.look_at_the_end());
  server.signal(SIGSTOP);
  EXPECT_THAT([&] { servers.look_at_the_end(); },
              ThrowsMessage<LiveError>("no Redis answers at " + endpoint() + ": nothing came for 2 s."));
  server.signal(SIGCONT);
}

TEST_F(UserServersTest, OneServerUnderTwoNamesIsRefused) {
  const std::string other = "localhost:" + std::to_string(server.port());
  EXPECT_THAT([&] { RedisUserServers({endpoint(), other}, "", "holdfast:1:"); },
              ThrowsMessage<LiveError>(HasSubstr("are the same server")));
}

TEST_F(UserServersTest, WhatEarlierRunsLeftIsCleared) {
  put_something_there();
  const std::string before = all_there_is();
  ask(make_command("SELECT", "0"));
  const std::string old = "redisson_lock_queue:{" + new_mark() + "lock}";
  ask(make_command("RPUSH", old, "x"));
  ask(make_command("SET", "holdfast:mine", "x"));
  EXPECT_THAT(clear_marked_keys(endpoint(), "").removed, testing::ElementsAre(old));
  EXPECT_EQ(ask(make_command("DEL", "holdfast:mine")), "1");
  EXPECT_EQ(all_there_is(), before);
  ask(make_command("ACL", "SETUSER", "default", "-scan"));
  EXPECT_THAT(clear_marked_keys(endpoint(), "").problem, HasSubstr("does not let us look for keys"));
}

TEST_F(UserServersTest, WhatWasFoundIsClearedThoughTheSearchDoesNotComeToAnEndInTime) {
  for (int number = 0; number < 3000; ++number) {
    ask(make_command("SET", "key" + std::to_string(number), "x"));
  }
  Visit visit(resolved_endpoint(endpoint()), "");
  std::size_t removed = 0;
  EXPECT_THAT(
      [&] {
        visit.each_key_like("key*", std::chrono::seconds(0),
                            [&](const std::string& key) { removed += visit.remove(key) ? 1 : 0; });
      },
      ThrowsMessage<LiveError>(HasSubstr("does not come to an end")));
  EXPECT_GT(removed, 0U);
  EXPECT_EQ(ask(make_command("DBSIZE")), std::to_string(3000 - removed));
}

TEST_F(UserServersTest, AWrongPasswordIsOneSentenceThatDoesNotTellIt) {
  require_password();
  const std::string name = "the server at " + endpoint();
  EXPECT_THAT(visiting("wrong-one"), ThrowsMessage<LiveError>(StartsWith(name + " refuses the password")));
  EXPECT_THAT(visiting("wrong-one"), ThrowsMessage<LiveError>(Not(HasSubstr("wrong-one"))));
  EXPECT_THAT(visiting(""), ThrowsMessage<LiveError>(StartsWith(name + " wants a password")));
  EXPECT_NO_THROW(visiting("secret")());
}

TEST_F(UserServersTest, APasswordThatNobodyAskedForIsOneSentence) {
  EXPECT_THAT(visiting("secret"), ThrowsMessage<LiveError>(HasSubstr("refuses the password")));
}

TEST_F(UserServersTest, AnEndpointThatIsNotThereIsOneSentence) {
  const std::string gone = endpoint();
  server.kill();
  EXPECT_THAT([&] { RedisUserServers({gone}, "", "holdfast:1:"); },
              ThrowsMessage<LiveError>("no Redis answers at " + gone + ": Connection refused."));
  EXPECT_THAT([] { RedisUserServers({"nobody.invalid:6379"}, "", "holdfast:1:"); },
              ThrowsMessage<LiveError>(StartsWith("nobody.invalid:6379 cannot be found")));
  EXPECT_THAT([] { RedisUserServers({"here"}, "", "holdfast:1:"); },
              ThrowsMessage<LiveError>(Not(IsEmpty())));
}

}  // namespace user_servers_test
}  // namespace holdfast::live
