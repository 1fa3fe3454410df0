// How: findings of known locks are shrunk; what is left is run again as a scenario read from its own text,
// with other seeds, and comes to the same letter. Nothing can be taken away from it.
#include "harness/explore/shrink.h"

#include <gtest/gtest.h>

#include "harness/explore/test_target.h"
#include "harness/scenario/file/load.h"
#include "harness/scenario/file/save.h"
#include "locks/lookup/lookup.h"

namespace holdfast {
namespace shrink_test {

ShrunkFinding shrunk(const ExploreTarget& target, std::string_view strategy, Letter letter) {
  const PieceResult result = explore(target, strategy, 3000);
  for (const ExploreFinding& finding : result.findings) {
    if (finding.letter == letter) {
      Simulation simulation;
      ShrunkFinding found;
      EXPECT_TRUE(shrink(simulation, target, finding, found));
      return found;
    }
  }
  ADD_FAILURE() << "there is no finding of that letter";
  return {};
}

Scenario read_back(const Scenario& scenario) {
  ScenarioNames names;
  for (const LockEntry& lock : all_locks()) {
    names.locks.emplace_back(lock.id);
  }
  Scenario named = scenario;
  named.title = "found";
  named.about = "Found.";
  return parse_scenario(to_json_text(named), "found.json", "found", names);
}

Letter letter_of(const Scenario& scenario, std::string_view lock, std::uint64_t seed) {
  Simulation simulation;
  return simulation.run({.scenario = &scenario, .lock = find_lock(lock), .seed = seed, .placement = {}})
      .letter;
}

TEST(Shrink, APauseIsLeftAloneWithTheLeastThatBreaksTheLease) {
  const ShrunkFinding found = shrunk(small_target("redis-px-cad", 2, 3), "swarm", Letter::violated);
  EXPECT_EQ(found.scenario.clients.size(), 2U);
  ASSERT_EQ(found.scenario.faults.size(), 1U);
  EXPECT_EQ(found.scenario.faults.front().fault, "gc-pause");
  EXPECT_TRUE(found.choices.empty());
  // A millisecond less, and the lease of 10 s outlives it.
  const Duration least = found.scenario.faults.front().lasts->fixed;
  EXPECT_GT(least, 5s);
  EXPECT_LT(least, 10'001ms);
  Scenario less = found.scenario;
  less.faults.front().lasts->fixed -= 1ms;
  EXPECT_NE(letter_of(less, "redis-px-cad", 1), Letter::violated);
}

TEST(Shrink, WhatIsLeftBreaksWithEverySeedAndFromItsOwnText) {
  for (const char* lock : {"redis-px-cad", "redis-watchdog", "redis-stamp-del"}) {
    const ShrunkFinding found = shrunk(small_target(lock, 2, 3), "swarm", Letter::violated);
    const Scenario again = read_back(found.scenario);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      EXPECT_EQ(letter_of(again, lock, seed), Letter::violated) << lock << " " << seed;
    }
  }
}

// With a pause of one lease and a third, two hold it for an instant and nobody is hurt: a shorter story, and
// none.
TEST(Shrink, WhatTheLetterSaysIsStillSeenInTheEnd) {
  struct Case {
    const char* lock;
    Letter letter;
  };
  for (const Case each :
       {Case{"redisson-fenced", Letter::fenced}, Case{"redis-watchdog", Letter::violated}}) {
    const ShrunkFinding found = shrunk(small_target(each.lock, 1, 2), "random", each.letter);
    EXPECT_TRUE(found.shows_its_letter) << each.lock;
    Simulation simulation;
    const RunReport report = simulation.run(
        {.scenario = &found.scenario, .lock = find_lock(each.lock), .seed = 1, .placement = {}});
    EXPECT_EQ(report.letter, each.letter) << each.lock;
    EXPECT_TRUE(report.shows_its_letter) << each.lock;
  }
}

TEST(Shrink, RoundsStartsAndWorkThatDoNotMatterGo) {
  ExploreTarget target = small_target("redisson-rlock", 1, 3);
  target.scenario.workload.rounds = 3;
  target.scenario.workload.kind = "reentrant";
  target.scenario.workload.work = ScenarioDuration{400ms, 0};
  target.scenario.clients[1].start = ScenarioDuration{30ms, 0};
  target.scenario.clients[2].rounds = 2;
  target.scenario.clients[2].work = ScenarioDuration{1s, 0};
  const ShrunkFinding found = shrunk(target, "random", Letter::violated);
  EXPECT_EQ(found.scenario.workload.kind, "cycle");
  EXPECT_EQ(found.scenario.workload.rounds, 1U);
  EXPECT_EQ(found.scenario.workload.work, WorkloadSpec{}.work);
  EXPECT_EQ(found.scenario.clients.size(), 2U);
  for (const ClientSpec& client : found.scenario.clients) {
    EXPECT_FALSE(client.rounds) << client.name;
    EXPECT_FALSE(client.work) << client.name;
  }
}

// One mutex for each thread: it takes two of them, and never more.
TEST(Shrink, ThreadsThatMatterStayThoughRoundsGo) {
  ExploreTarget target = small_target("local-mutex-per-instance", 1, 2);
  target.scenario.workload.rounds = 3;
  target.scenario.clients[0].threads = 3;
  target.scenario.clients[1].threads = 3;
  const ShrunkFinding found = shrunk(target, "random", Letter::violated);
  EXPECT_EQ(found.scenario.workload.rounds, 1U);
  std::uint32_t threads = 0;
  for (const ClientSpec& client : found.scenario.clients) {
    threads += client.threads;
  }
  EXPECT_EQ(threads, 2U);
}

TEST(Shrink, NothingCanBeTakenAway) {
  const ShrunkFinding found = shrunk(small_target("redis-px-del", 2, 3), "random", Letter::violated);
  for (std::size_t index = 0; index < found.scenario.faults.size(); ++index) {
    Scenario less = found.scenario;
    less.faults.erase(less.faults.begin() + static_cast<std::ptrdiff_t>(index));
    EXPECT_NE(letter_of(less, "redis-px-del", 1), Letter::violated);
  }
}

}  // namespace shrink_test
}  // namespace holdfast
