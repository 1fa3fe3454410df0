// How: every story in scenarios/ is run with the lock it is told with, over several seeds, and again with
// every lock it names an expectation for. A story whose fault finds no place, or that ends in another letter
// than it says, is no longer the story it claims to be.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "harness/run/simulation.h"
#include "harness/scenario/file/load.h"
#include "locks/lookup/lookup.h"

namespace holdfast {
namespace {

const std::string directory = std::string(HOLDFAST_SOURCE_DIR) + "/scenarios";

Scenario load(const std::string& name) {
  ScenarioNames names;
  for (const LockEntry& lock : all_locks()) {
    names.locks.emplace_back(lock.id);
  }
  return load_scenario(directory + "/" + name + ".json", names);
}

class Stories : public testing::TestWithParam<std::string> {};

TEST_P(Stories, EndAsTheySayWithTheirOwnLock) {
  const Scenario story = load(GetParam());
  if (story.is_family()) {
    EXPECT_TRUE(story.expect.letter.empty()) << "what is expected of a family stands in expected.json";
    return;
  }
  ASSERT_FALSE(story.expect.letter.empty());
  const LockEntry* lock = find_lock(story.lock);
  ASSERT_NE(lock, nullptr);
  Simulation simulation;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RunReport report =
        simulation.run({.scenario = &story, .lock = lock, .seed = seed, .placement = {}});
    EXPECT_EQ(to_text(report.letter), story.expect.letter) << "seed " << seed;
    EXPECT_TRUE(report.faults_not_struck.empty()) << "seed " << seed;
  }
}

TEST_P(Stories, EndAsTheySayWithEveryLockTheyName) {
  const Scenario story = load(GetParam());
  Simulation simulation;
  for (const auto& [id, expected] : story.expect_for) {
    const LockEntry* lock = find_lock(id);
    ASSERT_NE(lock, nullptr) << id;
    if (!why_not_applicable(story, *lock).empty()) {
      EXPECT_EQ(letter_from(expected.letter), Letter::not_applicable) << id;
      continue;
    }
    const RunReport report = simulation.run({.scenario = &story, .lock = lock, .seed = 1, .placement = {}});
    if (letter_from(expected.letter) == Letter::not_applicable) {
      // A fault on a process that this lock's topology lacks strikes nothing: the story is not about it.
      EXPECT_FALSE(report.faults_not_struck.empty()) << id;
    } else {
      EXPECT_EQ(to_text(report.letter), expected.letter) << id;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Stories, testing::ValuesIn(scenario_names_in(directory)),
                         [](const testing::TestParamInfo<std::string>& story) {
                           std::string name = story.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace holdfast
