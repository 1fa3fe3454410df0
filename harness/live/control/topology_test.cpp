// The topologies of a live run, on real processes: who plays which part, where they listen, and that they go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <set>
#include <sstream>

#include "harness/live/control/live_servers.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/process/send_signal.h"
#include "harness/machine/process/test_place.h"
#include "harness/stores/redis/server/test_password.h"

namespace holdfast::live {
namespace topology_test {

using ::testing::ElementsAre;
using ::testing::SizeIs;
using ::testing::StartsWith;

// The inodes of a process's sockets, as /proc/net/tcp names them.
std::set<std::string> sockets_of(pid_t process) {
  std::set<std::string> inodes;
  const std::string directory = "/proc/" + std::to_string(process) + "/fd";
  std::error_code ignored;
  for (const auto& each : std::filesystem::directory_iterator(directory, ignored)) {
    const std::string target = std::filesystem::read_symlink(each.path(), ignored).string();
    if (target.starts_with("socket:[")) {
      inodes.insert(target.substr(8, target.size() - 9));
    }
  }
  return inodes;
}

// The addresses on which it listens, in the kernel's spelling: "0100007F" is 127.0.0.1.
std::multiset<std::string> addresses_of(pid_t process) {
  const std::set<std::string> inodes = sockets_of(process);
  std::multiset<std::string> addresses;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream lines(table);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string word[10];
      for (std::string& each : word) {
        words >> each;
      }
      constexpr const char* listening = "0A";
      if (word[3] == listening && inodes.contains(word[9])) {
        addresses.insert(word[1].substr(0, word[1].find(':')));
      }
    }
  }
  return addresses;
}

class TopologyTest : public ::testing::Test {
 protected:
  void start(std::size_t count, std::size_t replicas, bool sentinels = false) {
    directory.emplace();
    servers = std::make_unique<LiveServers>(context, LiveServersOptions{.servers = count,
                                                                        .replicas = replicas,
                                                                        .directory = directory->path(),
                                                                        .sentinels = sentinels,
                                                                        .shim = {}});
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
      EXPECT_THAT(addresses_of(process), ElementsAre("0100007F")) << title_of(process);
    }
    EXPECT_EQ(std::filesystem::status(directory->path()).permissions(), std::filesystem::perms::owner_all);
    servers.reset();
    directory.reset();
    EXPECT_EQ(place.what_is_left(), "");
  }

  const TestPlace place;
  boost::asio::io_context context;
  std::optional<TemporaryDirectory> directory;
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
    ports.insert(servers->primary(number - 1)->port());
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
