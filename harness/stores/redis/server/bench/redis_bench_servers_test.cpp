// The servers of `bench locks`: what they are reached by, and that nobody else on the machine is answered.
#include "harness/stores/redis/server/bench/redis_bench_servers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/machine/process/test_listening.h"
#include "harness/machine/process/test_place.h"

namespace holdfast::live {
namespace redis_bench_servers_test {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

TEST(RedisBenchServers, ListenOnNoPortUnlessTheyHaveReplicas) {
  const TestPlace place;
  const RedisBenchServers servers({.servers = 2, .options = {}}, installed_redis());
  const std::vector<pid_t> processes = place.processes_called("redis-server");
  ASSERT_THAT(processes, SizeIs(2));
  for (const pid_t process : processes) {
    EXPECT_THAT(ports_of(process), IsEmpty());
  }
  const Reach reach = servers.reach(3);
  ASSERT_THAT(reach.endpoints, SizeIs(3));
  EXPECT_THAT(reach.endpoints.front(), SizeIs(2));
  EXPECT_THAT(reach.endpoints.front().front().host, StartsWith(place.path().string()));
}

TEST(RedisBenchServers, AnswerNobodyWithoutThePasswordOnTheirPort) {
  const TestPlace place;
  const RedisBenchServers servers({.servers = 1, .replicas = 1, .options = {}}, installed_redis());
  std::vector<ListeningPort> ports;
  for (const pid_t process : place.processes_called("redis-server")) {
    const std::vector<ListeningPort> its_ports = ports_of(process);
    ports.insert(ports.end(), its_ports.begin(), its_ports.end());
  }
  ASSERT_THAT(ports, SizeIs(1));  // the primary's
  Connection stranger("127.0.0.1", static_cast<std::uint16_t>(ports.front().port));
  EXPECT_THAT(stranger.execute(redis::make_command("GET", "k")).text, StartsWith("NOAUTH"));
  EXPECT_FALSE(servers.reach(1).password.empty());
}

}  // namespace redis_bench_servers_test
}  // namespace holdfast::live
