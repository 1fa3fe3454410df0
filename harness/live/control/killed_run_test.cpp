// holdfast is killed in the middle of a run: of all that it started, and their directories, nothing is left.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <fstream>

#include "harness/machine/process/child.h"
#include "harness/machine/process/test_place.h"

namespace holdfast::live {
namespace killed_run_test {

// c1 holds the lock while it stands still, for longer than any test.
constexpr const char* endless_story = R"({
  "title": "A pause without an end",
  "about": "C1 locks, and its process stands still for longer than anybody waits.",
  "lock": "redis-px-cad",
  "topology": {"replicas": 1},
  "clients": [{"name": "c1"}, {"name": "c2", "start": "100ms"}],
  "faults": [{"fault": "gc-pause", "on": "c1", "at": {"client": "c1", "point": "worked"}, "for": "100000s"}],
  "expect": {"letter": "V"}
})";

class KilledRunTest : public ::testing::Test {
 protected:
  KilledRunTest() { std::ofstream(story.path() / "endless.json") << endless_story; }

  void start(const std::vector<std::string>& arguments) {
    ChildOptions options;
    options.arguments = {HOLDFAST_BINARY};
    options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
    options.output = story.path() / "output";
    holdfast = std::make_unique<Child>(options);
  }
  void expect_nothing_left_when_killed() {
    holdfast->kill();
    EXPECT_TRUE(TestPlace::becomes_true([&] { return place.what_is_left().empty(); }))
        << place.what_is_left();
  }
  std::size_t count(const std::string& word) const { return place.processes_called(word).size(); }

  TemporaryDirectory story;
  const TestPlace place;
  std::unique_ptr<Child> holdfast;
};

TEST_F(KilledRunTest, InTheMiddleOfALiveRunWithSentinels) {
  start({"run", (story.path() / "endless.json").string(), "--world", "live", "--sentinels"});
  const bool is_in_the_middle = TestPlace::becomes_true([&] {
    const std::vector<pid_t> clients = place.processes_called("live-client");
    return clients.size() == 2 &&
           std::any_of(clients.begin(), clients.end(), [](pid_t client) { return state_of(client) == 'T'; });
  });
  EXPECT_TRUE(is_in_the_middle) << content_of(story.path() / "output");
  EXPECT_TRUE(TestPlace::becomes_true([&] { return count("redis-server") == 5; }));
  EXPECT_EQ(count("[sentinel]"), 3U);
  expect_nothing_left_when_killed();
}

TEST_F(KilledRunTest, InTheMiddleOfAWarpRun) {
  start({"bench", "warp", "--runs", "1000000000"});
  EXPECT_TRUE(TestPlace::becomes_true([&] { return count("redis-server") > 0; }))
      << content_of(story.path() / "output");
  expect_nothing_left_when_killed();
}

}  // namespace killed_run_test
}  // namespace holdfast::live
