// A disk that is full under the append-only file of a server in `warp`: one sentence, and the history until
// then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "harness/machine/process/live_error.h"
#include "harness/run/simulation.h"
#include "harness/run/test_scenario.h"
#include "harness/stores/redis/server/real_nodes.h"
#include "harness/stores/redis/server/test_full_disk.h"
#include "harness/stores/redis/test_topology.h"
#include "locks/catalog.h"
#include "locks/lookup/lookup.h"

namespace holdfast::live {
namespace disk_full_test {

using ::testing::HasSubstr;

// Fills the disk at the first acquire.
class Filler final : public EventSink {
 public:
  explicit Filler(const TestPlace& place) : place_(place) {}
  void on_event(const Event& event, const History&) override {
    if (!is_full && event.type == EventType::ok && event.operation == Operation::acquire) {
      is_full = fill_the_disk(place_);
    }
  }
  bool is_full = false;

 private:
  const TestPlace& place_;
};

class FullDiskInWarp : public ::testing::TestWithParam<redis::AppendOnly> {};

TEST_P(FullDiskInWarp, IsOneSentenceAndTheHistoryIsKept) {
  const FileSizeSignalIgnored ignored;
  const TestPlace place;
  Filler filler(place);
  std::string sentence;
  {
    RealServerSet servers;
    Simulation warp(&servers);
    Scenario scenario = plain_scenario();
    scenario.topology.stores.clear();
    redis::set_append_only(scenario.topology, GetParam());
    RunRequest request{.scenario = &scenario, .lock = find_lock("redis-px-cad"), .seed = 1, .placement = {}};
    request.sink = &filler;
    try {
      warp.run(request);
    } catch (const LiveError& error) {
      sentence = error.what();
    }
    EXPECT_FALSE(warp.history().events().empty());
  }
  EXPECT_TRUE(filler.is_full);
  EXPECT_THAT(sentence, HasSubstr("the disk under " + place.path().string()));
  EXPECT_THAT(sentence, HasSubstr("Error writing to the AOF file"));
  EXPECT_EQ(place.what_is_left(), "");
}

INSTANTIATE_TEST_SUITE_P(EveryPolicy, FullDiskInWarp,
                         ::testing::Values(redis::AppendOnly::every_second, redis::AppendOnly::always));

}  // namespace disk_full_test
}  // namespace holdfast::live
