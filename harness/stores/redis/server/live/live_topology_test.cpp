// The topologies of a live run, on real processes: who plays which part, where they listen, and that they go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <set>

#include "harness/machine/process/live_error.h"
#include "harness/machine/process/send_signal.h"
#include "harness/machine/process/test_listening.h"
#include "harness/machine/process/test_place.h"
#include "harness/stores/live_servers.h"
#include "harness/stores/redis/server/test_password.h"
#include "harness/stores/store.h"

namespace holdfast::live {
namespace topology_test {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::SizeIs;
using ::testing::StartsWith;

class TopologyTest : public ::testing::Test {
 protected:
  void start(std::size_t count, std::size_t replicas, bool sentinels = false) {
    directory.emplace();
    plan = {.servers = count, .replicas = replicas, .options = {}};
    servers = store_called("redis").start_live({.context = context,
                                                .plan = plan,
                                                .directory = directory->path(),
                                                .programs = programs,
                                                .fails_over_by_itself = sentinels});
  }
  std::string role(std::size_t number) const {
    const auto socket = directory->path() / ("redis-" + std::to_string(number)) / "redis.sock";
    return ask_by_socket(socket, redis::make_command("ROLE")).elements.at(0).text;
  }
  // All of them, on the loopback address and nowhere else; and then none.
  void expect_private_and_gone(std::size_t processes) {
    // A primary may still have a copy of itself at work, which has written to a replica.
    TestPlace::becomes_true([&] { return place.processes().size() == processes; });
    const std::vector<pid_t> all = place.processes();
    EXPECT_THAT(all, SizeIs(processes));
    for (const pid_t process : all) {
      EXPECT_THAT(ports_of(process), ElementsAre(Field(&ListeningPort::address, "0100007F")))
          << title_of(process);
    }
    EXPECT_EQ(std::filesystem::status(directory->path()).permissions(), std::filesystem::perms::owner_all);
    servers.reset();
    directory.reset();
    EXPECT_EQ(place.what_is_left(), "");
  }

  const TestPlace place;
  boost::asio::io_context context;
  std::optional<TemporaryDirectory> directory;
  ServersPlan plan;
  const ServerPrograms programs;
  std::unique_ptr<LiveServers> servers;
};

TEST_F(TopologyTest, ASingleServer) {
  start(1, 0);
  EXPECT_EQ(role(1), "master");
  expect_private_and_gone(1);
}

TEST_F(TopologyTest, APrimaryWithReplicas) {
  start(1, 2);
  EXPECT_EQ(role(1), "master");
  EXPECT_EQ(role(2), "slave");
  EXPECT_EQ(role(3), "slave");
  expect_private_and_gone(3);
}

TEST_F(TopologyTest, FiveServersThatKnowNothingOfEachOther) {
  start(5, 0);
  std::set<std::uint16_t> ports;
  for (std::size_t number = 1; number <= 5; ++number) {
    EXPECT_EQ(role(number), "master");
    ports.insert(servers->target(number - 1)->port());
  }
  EXPECT_THAT(ports, SizeIs(5));
  expect_private_and_gone(5);
}

TEST_F(TopologyTest, ThreeSentinelsWatchAPrimaryWithItsReplicaAndAreMissed) {
  start(1, 1, true);
  EXPECT_NO_THROW(servers->look_after());
  const auto sentinel = directory->path() / "sentinel-1" / "sock";
  const redis::Reply known =
      ask_by_socket(sentinel, redis::make_command("SENTINEL", "CKQUORUM", "holdfast-1"));
  EXPECT_THAT(known.text, StartsWith("OK 3 usable Sentinels"));
  const std::vector<pid_t> sentinels = place.processes_called("[sentinel]");
  ASSERT_THAT(sentinels, SizeIs(3));
  send_signal(sentinels.front(), SIGKILL);
  std::string sentence;
  EXPECT_TRUE(TestPlace::becomes_true([&] {
    try {
      servers->look_after();
    } catch (const LiveError& error) {
      sentence = error.what();
    }
    return !sentence.empty();
  }));
  EXPECT_THAT(sentence, StartsWith("a Sentinel ended with signal 9 in the middle of the run"));
  expect_private_and_gone(4);
}

}  // namespace topology_test
}  // namespace holdfast::live
