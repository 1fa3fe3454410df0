// Redis servers that get into trouble in the middle of a live run: one sentence, and nothing left behind.
#include <gmock/gmock.h>

#include "harness/live/control/test_live_trouble.h"
#include "harness/stores/redis/server/redis_server.h"
#include "harness/stores/redis/server/test_full_disk.h"
#include "harness/stores/redis/test_topology.h"

namespace holdfast::live {
namespace redis_trouble_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class RedisTroubleTest : public LiveTroubleTest {
 protected:
  const FileSizeSignalIgnored ignored;
};

TEST_F(RedisTroubleTest, ADiskThatIsFullUnderAFileSyncedEverySecond) {
  redis::set_append_only(scenario.topology, redis::AppendOnly::every_second);
  strike = [&] {
    ASSERT_TRUE(fill_the_disk(place));
    const std::string socket = place.find("redis.sock").string();
    ask_by_socket(socket, redis::make_command("SET", "one", "more"));
    ASSERT_TRUE(TestPlace::becomes_true([&] { return info_says(socket, "aof_last_write_status:err"); }));
  };
  EXPECT_THAT(trouble(), AllOf(StartsWith("redis server 1 cannot write to its disk, is it full?"),
                               HasSubstr("Errors writing to the AOF file")));
  expect_history();
}

TEST_F(RedisTroubleTest, ADiskThatIsFullUnderAFileSyncedAlways) {
  redis::set_append_only(scenario.topology, redis::AppendOnly::always);
  strike = [&] { ASSERT_TRUE(fill_the_disk(place)); };
  EXPECT_THAT(trouble(),
              AllOf(StartsWith("redis-server ended with exit code 1 in the middle of the run: it could not "
                               "write to the disk under " +
                               place.path().string()),
                    HasSubstr("Error writing to the AOF file")));
  expect_history();
}

TEST_F(RedisTroubleTest, AServerOfTheUsersThatDies) {
  const TemporaryDirectory directory;
  RedisServer server({.directory = directory.path(), .listens = true, .settings = {}});
  const std::string endpoint = "127.0.0.1:" + std::to_string(server.port());
  request.endpoints = {endpoint};
  strike = [&] { server.kill(); };
  EXPECT_THAT(trouble(), StartsWith("the server at " + endpoint + " does not answer any more: "));
  expect_history();
}

}  // namespace redis_trouble_test
}  // namespace holdfast::live
