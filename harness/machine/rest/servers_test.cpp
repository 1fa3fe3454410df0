// Real servers, unmodified, on virtual time: what blocks is known to block, and what time brings comes when
// it is time. Each is tested where it is installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "harness/machine/process/live_error.h"
#include "harness/machine/rest/test_held.h"
#include "harness/machine/rest/test_servers.h"

namespace holdfast::rest {
namespace servers_test {

using namespace test_held;
using testing::HasSubstr;

// One that is free now: not every server can listen at a path.
std::uint16_t free_port() {
  const live::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  EXPECT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), length), 0);
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &length);
  return ntohs(address.sin_port);
}

class ServerTest : public Held {
 protected:
  std::size_t start_server(Supervisor& supervisor, const std::vector<std::string>& command) {
    return start(supervisor, command, {{"GOMAXPROCS", "1"}});
  }
  std::string in_folder(const std::string& name) const { return (directory_.path() / name).string(); }
};

// The files that a new mariadbd begins with.
struct NewData {
  NewData() {
    const std::string user = ::geteuid() == 0 ? " --user=mysql" : "";
    is_well = succeeds("chmod 755 " + directory.path().string() + " && mariadb-install-db --no-defaults" +
                       user + " --datadir=" + path().string() +
                       " --auth-root-authentication-method=normal --skip-test-db");
  }
  std::filesystem::path path() const { return directory.path() / "data"; }

  live::TemporaryDirectory directory;
  bool is_well = false;
};

class MariaTest : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    if (IsSkipped()) {
      return;
    }
    if (!has_program("mariadbd") || !has_program("mariadb-install-db")) {
      GTEST_SKIP() << "there is no mariadbd on this machine";
    }
    static const NewData data;  // takes seconds, so it is made once
    ASSERT_TRUE(data.is_well) << "mariadb-install-db failed";
    ASSERT_TRUE(succeeds("chmod 755 " + in_folder("") + " && cp -a " + data.path().string() + " " +
                         in_folder("data")));
    ASSERT_TRUE(::geteuid() != 0 || succeeds("chown mysql " + in_folder("")));
    std::vector<std::string> command = {real_path_of("mariadbd"),
                                        "--no-defaults",
                                        "--datadir=" + in_folder("data"),
                                        "--socket=" + in_folder("s"),
                                        "--skip-networking",
                                        "--pid-file=" + in_folder("pid"),
                                        "--innodb-buffer-pool-size=32M",
                                        "--innodb-log-file-size=8M",
                                        "--performance-schema=OFF"};
    if (::geteuid() == 0) {
      command.push_back("--user=mysql");
    }
    start_server(supervisor_, command);
    TestSocket trial;
    supervisor_.come_up([&] { return trial.dial(directory_.path() / "s"); }, 60 * second_ns);
    trial.close();
    supervisor_.settle();
    ASSERT_TRUE(one_.open(directory_.path() / "s"));
    ASSERT_TRUE(other_.open(directory_.path() / "s"));
    ASSERT_EQ(one_.query("create database t"), "OK");
    ASSERT_EQ(one_.query("create table t.t (i int primary key, v int) engine=innodb"), "OK");
    ASSERT_EQ(one_.query("insert into t.t values (1, 1), (2, 2)"), "OK");
  }

  Supervisor supervisor_;
  MysqlClient one_{supervisor_};
  MysqlClient other_{supervisor_};
};

TEST_F(MariaTest, ABlockedStatementIsKnownAsBlocked) {
  EXPECT_THAT(one_.query("select now()"), HasSubstr("2026-01-01 "));
  for (int round = 0; round < 20; ++round) {
    ASSERT_EQ(one_.query("begin"), "OK");
    ASSERT_EQ(one_.query("select v from t.t where i = 1 for update"), "1");
    ASSERT_EQ(other_.query("begin"), "OK");
    ASSERT_EQ(other_.query("select v from t.t where i = 1 for update"), "") << "in round " << round;
    ASSERT_EQ(one_.query("commit"), "OK");
    ASSERT_EQ(other_.answer(), "1") << "in round " << round;
    ASSERT_EQ(other_.query("commit"), "OK");
  }
}

TEST_F(MariaTest, WhoWaitsForALockGivesUpWhenItIsTime) {
  ASSERT_EQ(one_.query("select get_lock('L', 0)"), "1");
  const std::int64_t began_ns = supervisor_.now_ns();
  ASSERT_EQ(other_.query("select get_lock('L', 30)"), "");
  EXPECT_TRUE(supervisor_.advance_to(began_ns + 40 * second_ns, [&] { return other_.is_answered(); }));
  EXPECT_EQ(other_.answer(), "0");
  EXPECT_NEAR(static_cast<double>(supervisor_.now_ns() - began_ns), 30e9, 1e6);
}

TEST_F(MariaTest, TwoWhoWaitForALockGetItInTheOrderInWhichTheyCame) {
  MysqlClient third(supervisor_);
  ASSERT_TRUE(third.open(directory_.path() / "s"));
  for (int round = 0; round < 10; ++round) {
    ASSERT_EQ(one_.query("update t.t set v = 0 where i = 1"), "OK");
    ASSERT_EQ(one_.query("begin"), "OK");
    ASSERT_EQ(one_.query("select v from t.t where i = 1 for update"), "0");
    ASSERT_EQ(other_.query("update t.t set v = v * 10 + 1 where i = 1"), "");
    ASSERT_EQ(third.query("update t.t set v = v * 10 + 2 where i = 1"), "");
    ASSERT_EQ(one_.query("commit"), "OK");
    ASSERT_EQ(other_.answer() + third.answer(), "OKOK");
    ASSERT_EQ(one_.query("select v from t.t where i = 1"), "12") << "in round " << round;
  }
}

// A figure to read, not a test.
TEST_F(MariaTest, ShowsHowManyStepsASecondThereAre) {
  constexpr int steps = 500;
  const auto began = std::chrono::steady_clock::now();
  for (int step = 0; step < steps; ++step) {
    ASSERT_EQ(one_.query("select v from t.t where i = 1"), "1");
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  fmt::print("mariadbd: {:.0f} selects/s, each from rest to rest\n", steps / took.count());
}

// Such statements have InnoDB's threads spin for each other: one at a time they would never end.
TEST_F(MariaTest, WritesInBulkComeToRest) {
  ASSERT_EQ(one_.query("create table t.big (i int auto_increment primary key, v char(200)) engine=innodb"),
            "OK");
  ASSERT_EQ(one_.query("insert into t.big (v) select repeat('x', 200) from t.seq_1_to_20000"), "OK");
  ASSERT_EQ(one_.query("update t.big set v = 'y'"), "OK");
  EXPECT_EQ(one_.query("select count(*) from t.big"), "20000");
}

class EtcdTest : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    if (!IsSkipped() && !has_program("etcd")) {
      GTEST_SKIP() << "there is no etcd on this machine";
    }
  }
  // "bG9jaw==" is "lock", and "dg==" is "v".
  static std::string put(const std::string& lease) {
    return R"({"key":"bG9jaw==","value":"dg==","lease":")" + lease + "\"}";
  }
};

TEST_F(EtcdTest, ALeaseExpiresWhenItIsTimeAndTheWatchIsTold) {
  Supervisor supervisor;
  start_server(supervisor, {real_path_of("etcd"), "--data-dir", in_folder("data"), "--listen-client-urls",
                            "unix://c:0", "--advertise-client-urls", "unix://c:0", "--listen-peer-urls",
                            "unix://p:0", "--initial-advertise-peer-urls", "http://127.0.0.1:1",
                            "--initial-cluster", "default=http://127.0.0.1:1"});
  EtcdClient client(supervisor);
  supervisor.come_up(
      [&] {
        if (!client.is_open() && !client.open(directory_.path() / "c:0")) {
          return false;
        }
        return client.query("/v3/kv/range", R"({"key":"eA=="})").find("200 OK") != std::string::npos;
      },
      60 * second_ns);
  const std::string granted = client.query("/v3/lease/grant", R"({"TTL":"30"})");
  const std::string lease = EtcdClient::field(granted, "ID");
  ASSERT_NE(lease, "") << granted;
  const std::int64_t began_ns = supervisor.now_ns();
  ASSERT_THAT(client.query("/v3/kv/put", put(lease)), HasSubstr("raft_term"));
  EtcdClient watch(supervisor);
  ASSERT_TRUE(watch.open(directory_.path() / "c:0"));
  ASSERT_THAT(watch.query("/v3/watch", R"({"create_request":{"key":"bG9jaw=="}})"),
              HasSubstr("\"created\":true"));
  watch.forget();
  supervisor.advance_to(began_ns + 29 * second_ns);
  EXPECT_EQ(watch.heard(), "");
  supervisor.advance_to(began_ns + 33 * second_ns, [&] { return !watch.heard().empty(); });
  EXPECT_THAT(watch.heard(), HasSubstr("DELETE"));
  EXPECT_THAT(client.query("/v3/kv/range", R"({"key":"bG9jaw=="})"), Not(HasSubstr("kvs")));
}

// Three servers on one clock: they elect a leader, and another one when that is killed.
TEST_F(EtcdTest, ThreeOfThemRestTogether) {
  Supervisor supervisor;
  std::vector<EtcdClient> clients;
  for (int number = 0; number < 3; ++number) {
    clients.emplace_back(supervisor);
  }
  std::vector<std::string> peers;
  std::string cluster;
  for (int number = 0; number < 3; ++number) {
    peers.push_back(fmt::format("http://127.0.0.1:{}", free_port()));
    cluster += fmt::format("{}n{}={}", number == 0 ? "" : ",", number, peers.back());
  }
  for (std::size_t number = 0; number < 3; ++number) {
    const std::string client = fmt::format("unix://c{}:0", number);
    start_server(supervisor, {real_path_of("etcd"), "--name", fmt::format("n{}", number), "--data-dir",
                              in_folder(fmt::format("data{}", number)), "--listen-client-urls", client,
                              "--advertise-client-urls", client, "--listen-peer-urls", peers[number],
                              "--initial-advertise-peer-urls", peers[number], "--initial-cluster", cluster});
  }
  std::vector<std::string> members(3);
  std::string leader;
  const auto ask = [&](std::size_t number) {
    if (!clients[number].is_open() &&
        !clients[number].open(directory_.path() / fmt::format("c{}:0", number))) {
      return false;
    }
    const std::string status = clients[number].query("/v3/maintenance/status", "{}");
    members[number] = EtcdClient::field(status, "member_id");
    leader = EtcdClient::field(status, "leader");
    return !leader.empty() && leader != "0";
  };
  supervisor.come_up([&] { return ask(0) && ask(1) && ask(2); }, 60 * second_ns);
  const auto led = static_cast<std::size_t>(std::ranges::find(members, leader) - members.begin());
  ASSERT_LT(led, 3U);
  const std::size_t follower = (led + 1) % 3;
  EXPECT_THAT(clients[follower].query("/v3/kv/put", R"({"key":"eA==","value":"dg=="})"),
              HasSubstr("raft_term"));
  supervisor.kill(led);
  const std::string before = leader;
  const std::int64_t killed_ns = supervisor.now_ns();
  while (leader == before && supervisor.now_ns() < killed_ns + 10 * second_ns) {
    supervisor.advance_to(supervisor.now_ns() + 100 * millisecond_ns);
    leader = ask(follower) ? leader : before;
  }
  EXPECT_NE(leader, before);
  EXPECT_THAT(clients[follower].query("/v3/kv/put", R"({"key":"eA==","value":"dg=="})"),
              HasSubstr("raft_term"));
}

class ZooKeeperTest : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    if (!IsSkipped() && (!has_program("java") || !std::filesystem::exists(jar))) {
      GTEST_SKIP() << "there is no ZooKeeper on this machine";
    }
  }
  static constexpr const char* jar = "/usr/share/java/zookeeper.jar";
};

TEST_F(ZooKeeperTest, ASessionExpiresWhenItIsTimeAndTheWatchIsTold) {
  const std::uint16_t port = free_port();
  std::ofstream(in_folder("zoo.cfg"))
      << "tickTime=2000\ndataDir=" << in_folder("data") << "\nclientPort=" << port
      << "\nclientPortAddress=127.0.0.1\nmaxSessionTimeout=60000\n"
         "admin.enableServer=false\n";
  Supervisor supervisor;
  start_server(supervisor,
               {real_path_of("java"), "-Xmx256m", "-XX:+UseSerialGC", "-XX:-UsePerfData",
                "-XX:TieredStopAtLevel=1", "-cp", std::string(jar) + ":/usr/share/java/slf4j-simple.jar",
                "org.apache.zookeeper.server.quorum.QuorumPeerMain", in_folder("zoo.cfg")});
  ZooKeeperClient witness(supervisor);
  supervisor.come_up(
      [&] {
        if (witness.is_open() || !witness.open(port)) {
          return witness.is_open() && !witness.take_frames().empty();
        }
        witness.begin_session(60'000);
        return !witness.take_frames().empty();
      },
      60 * second_ns);
  ZooKeeperClient holder(supervisor);
  ASSERT_TRUE(holder.open(port));
  holder.begin_session(30'000);
  ASSERT_EQ(holder.take_frames().size(), 1U);
  holder.create_ephemeral("/lock");
  const std::vector<std::string> created = holder.take_frames();
  ASSERT_EQ(created.size(), 1U);
  EXPECT_EQ(ZooKeeperClient::word_at(created[0], 12), 0);
  witness.exists("/lock", true);
  ASSERT_EQ(witness.take_frames().size(), 1U);
  const std::int64_t began_ns = supervisor.now_ns();
  supervisor.advance_to(began_ns + 20 * second_ns);
  EXPECT_TRUE(witness.take_frames().empty());
  witness.ping();
  witness.take_frames();
  std::vector<std::string> events;
  supervisor.advance_to(began_ns + 40 * second_ns, [&] {
    events = witness.take_frames();
    return !events.empty();
  });
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(ZooKeeperClient::word_at(events[0], 0), -1) << "an event, not an answer";
  EXPECT_EQ(ZooKeeperClient::word_at(events[0], 16), 2) << "deleted";
  EXPECT_GE(supervisor.now_ns() - began_ns, 30 * second_ns);
  EXPECT_TRUE(holder.is_closed());
}

}  // namespace servers_test
}  // namespace holdfast::rest
