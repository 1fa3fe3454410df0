// A real redis-server: it comes up, dies, comes back with what its policy kept, and says why it cannot start.
#include "harness/stores/redis/server/redis_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <vector>

#include "harness/machine/process/live_error.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/stores/redis/command.h"
#include "harness/stores/redis/server/connection.h"

namespace holdfast::live {
namespace redis_server_test {

using redis::make_command;

std::string ask(const RedisServer& server, const redis::Command& command) {
  return redis::to_text(Connection(server.socket()).execute(command));
}

TEST(RedisServer, AnswersOnItsSocketAndSaysItsVersion) {
  const TemporaryDirectory directory;
  RedisServer server({.directory = directory.path(), .settings = {}});
  EXPECT_TRUE(server.is_running());
  EXPECT_THAT(server.vendor_and_release(), testing::StartsWith("redis-server 7."));
  EXPECT_EQ(ask(server, make_command("SET", "a", "1")), "OK");
  EXPECT_EQ(ask(server, make_command("GET", "a")), "\"1\"");
}

TEST(RedisServer, ComesBackWithWhatItsPolicyKept) {
  for (const auto policy : {redis::AppendOnly::never, redis::AppendOnly::always}) {
    const TemporaryDirectory directory;
    RedisServer server({.directory = directory.path(), .append_only = policy, .settings = {}});
    ask(server, make_command("SET", "a", "1"));
    server.kill();
    EXPECT_FALSE(server.is_running());
    EXPECT_THAT(server.why_it_ended(), testing::HasSubstr("signal 9"));
    server.start();
    EXPECT_EQ(ask(server, make_command("GET", "a")), policy == redis::AppendOnly::always ? "\"1\"" : "(nil)");
  }
}

TEST(RedisServer, SaysTheTimeOfItsPageAfterEveryStart) {
  const TemporaryDirectory directory;
  ClockPage page(directory.path() / "clock");
  page.set(1'800'000'000'000'001'000, 1'000'000'000);
  RedisServer server({.directory = directory.path(), .clock = &page, .settings = {}});
  EXPECT_EQ(ask(server, make_command("TIME")), "[\"1800000000\", \"1\"]");
  server.kill();
  page.set(1'900'000'000'000'000'000, 2'000'000'000);
  server.start();
  EXPECT_EQ(ask(server, make_command("TIME")), "[\"1900000000\", \"0\"]");
}

TEST(RedisServer, IsRefusedIfItDoesNotSayTheTime) {
  const TemporaryDirectory directory;
  ClockPage page(directory.path() / "clock");
  EXPECT_THAT(
      [&] {
        RedisServer(
            {.directory = directory.path(), .clock = &page, .settings = {"rename-command TIME \"\""}});
      },
      testing::ThrowsMessage<LiveError>(testing::HasSubstr("does not say what time it is (TIME)")));
}

TEST(RedisServer, ListensOnAPortOfItsOwn) {
  const TemporaryDirectory one_directory;
  const TemporaryDirectory other_directory;
  const RedisServer one({.directory = one_directory.path(), .listens = true, .settings = {}});
  const RedisServer other({.directory = other_directory.path(), .listens = true, .settings = {}});
  EXPECT_GT(one.port(), 0);
  EXPECT_NE(one.port(), other.port());
}

// Another program, which asks for a port that was reserved for ours.
class PortThief {
 public:
  ~PortThief() {
    for (const int descriptor : descriptors_) {
      close(descriptor);
    }
  }
  PortThief() = default;
  PortThief(const PortThief&) = delete;
  PortThief& operator=(const PortThief&) = delete;
  void take(int port) {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int yes = 1;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    EXPECT_EQ(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(descriptor, 1), 0);
    descriptors_.push_back(descriptor);
    ports.push_back(port);
  }
  std::vector<int> ports;

 private:
  std::vector<int> descriptors_;
};

TEST(RedisServer, TakesAnotherPortIfOneIsTakenBeforeItListens) {
  const TemporaryDirectory directory;
  PortThief thief;
  const RedisServer server(
      {.directory = directory.path(), .listens = true, .settings = {}, .port_chosen = [&](int port) {
         if (thief.ports.size() < 2) {
           thief.take(port);
         }
       }});
  EXPECT_EQ(thief.ports.size(), 2U);
  EXPECT_THAT(thief.ports, testing::Not(testing::Contains(server.port())));
  EXPECT_EQ(ask(server, make_command("PING")), "PONG");
}

TEST(RedisServer, SaysSoIfEveryPortIsTakenBeforeItListens) {
  const TemporaryDirectory directory;
  PortThief thief;
  const auto start = [&] {
    RedisServer(
        {.directory = directory.path(), .listens = true, .settings = {}, .port_chosen = [&](int port) {
           thief.take(port);
         }});
  };
  EXPECT_THAT(start, testing::ThrowsMessage<LiveError>(
                         testing::MatchesRegex("redis-server ended with exit code 1: another program took "
                                               "port [0-9]+ first\\.")));
  EXPECT_EQ(thief.ports.size(), 5U);
}

TEST(RedisServer, ComesBackOnItsPortThoughOthersLookForFreeOnes) {
  const TemporaryDirectory directory;
  RedisServer server({.directory = directory.path(), .listens = true, .settings = {}});
  const int port = server.port();
  server.kill();
  std::vector<std::unique_ptr<ReservedPort>> others;
  for (int count = 0; count < 500; ++count) {
    others.push_back(std::make_unique<ReservedPort>());
    EXPECT_NE(others.back()->number(), port);
  }
  server.start();
  EXPECT_EQ(server.port(), port);
}

TEST(RedisServer, DoesNotStartWithHalfOfItsConfiguration) {
  const TemporaryDirectory directory;
  std::filesystem::create_symlink("/dev/full", directory.path() / "redis.conf");
  EXPECT_THAT([&] { RedisServer({.directory = directory.path(), .settings = {}}); },
              testing::ThrowsMessage<LiveError>(
                  testing::EndsWith("redis.conf cannot be written: No space left on device.")));
}

TEST(RedisServer, ThatCannotComeUpSaysWhy) {
  const TemporaryDirectory directory;
  EXPECT_THAT(
      [&] { RedisServer({.directory = directory.path(), .settings = {"nonsense 1"}}); },
      testing::ThrowsMessage<LiveError>(testing::AllOf(
          testing::StartsWith("redis-server ended with exit code 1"), testing::HasSubstr("nonsense"))));
}

// Like a server that is stopped while it starts: the kernel takes connections for it, and nobody answers.
TEST(RedisServer, ThatTakesConnectionsAndIsSilentIsNotWaitedForForEver) {
  const TemporaryDirectory directory;
  const std::filesystem::path program = directory.path() / "silent-server";
  std::ofstream(program) << "#!/usr/bin/python3\n"
                            "import socket, time\n"
                            "listening = socket.socket(socket.AF_UNIX)\n"
                            "listening.bind('redis.sock')\n"
                            "listening.listen()\n"
                            "time.sleep(600)\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  EXPECT_THAT(
      [&] {
        RedisServer({.directory = directory.path(),
                     .settings = {},
                     .program = ServerProgram(program, redis_program_names()),
                     .patience_seconds = 1});
      },
      testing::ThrowsMessage<LiveError>(
          "silent-server does not answer: it said nothing; is it a Redis server?"));
}

TEST(Connection, ThatNobodyAnswersIsOneSentence) {
  EXPECT_THAT([] { Connection("/no/such/socket"); },
              testing::ThrowsMessage<LiveError>(testing::HasSubstr("/no/such/socket does not answer")));
}

TEST(Connection, ThatBreaksIsOneSentence) {
  const TemporaryDirectory directory;
  RedisServer server({.directory = directory.path(), .settings = {}});
  Connection connection(server.socket());
  server.kill();
  EXPECT_THROW(connection.execute(make_command("PING")), LiveError);
}

}  // namespace redis_server_test
}  // namespace holdfast::live
