// How: holdfast is built once more with a store that nobody else has, and is asked for everything that it
// does with stores. Nothing outside harness/seam knows that store, so whatever works here works for a new
// one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/explore/shrink.h"
#include "harness/explore/test_target.h"
#include "harness/scenario/file/load.h"
#include "harness/scenario/file/save.h"
#include "harness/seam/test_program.h"

namespace holdfast::seam_test {

using ::testing::HasSubstr;

constexpr const char* eviction = R"({"fault": "porter-evicts", "on": "porter",
    "at": {"server": "porter", "command": "lock", "phase": "arrived", "nth": 2}})";

Scenario read_back(const Scenario& scenario) {
  Scenario named = scenario;
  named.title = "found";
  named.about = "Found.";
  return parse_scenario(to_json_text(named), "found.json", "found", {.locks = lock_ids()});
}

TEST_F(SeamTest, EveryListHasIt) {
  EXPECT_THAT(holdfast({"list", "locks"}).out, HasSubstr("porter-lock"));
  EXPECT_THAT(holdfast({"list", "locks", "--json"}).out, HasSubstr("\"porter\""));
  EXPECT_THAT(holdfast({"list", "faults"}).out, HasSubstr("porter-evicts"));
  EXPECT_THAT(holdfast({"list", "topology"}).out, HasSubstr("silence"));
  const std::string schema = holdfast({"list", "schema"}).out;
  EXPECT_THAT(schema, HasSubstr("porter-evicts"));
  EXPECT_THAT(schema, HasSubstr("standbys"));
  EXPECT_THAT(schema, HasSubstr("lock|unlock"));
}

TEST_F(SeamTest, AStoryIsToldWithItsWordsAndComesOutTheSameTwice) {
  const std::string file = story("", "porter-lock", R"({"porter": {"standbys": 2, "silence": "3s"}})");
  const Outcome told = holdfast({"run", file});
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_THAT(told.out, HasSubstr("porter"));
  EXPECT_THAT(told.out, HasSubstr("c1 lock lock → granted 1"));
  EXPECT_THAT(told.out, HasSubstr("c1 unlock lock → released"));
  const auto first = nlohmann::json::parse(holdfast({"run", file, "--json"}).out);
  const auto second = nlohmann::json::parse(holdfast({"run", file, "--json"}).out);
  EXPECT_EQ(first.at("fingerprint"), second.at("fingerprint"));
}

TEST_F(SeamTest, ItsFaultStrikesWhoeverHolds) {
  const Outcome told = holdfast({"run", story(eviction)});
  EXPECT_EQ(told.code, 1) << told.err;
  EXPECT_THAT(told.out, HasSubstr("evicts every holder"));
  EXPECT_THAT(told.out, HasSubstr("granted 2"));
  EXPECT_THAT(told.out, HasSubstr("release failed: not yours"));
}

TEST_F(SeamTest, ALostReplyDoesNotLeaveTheLockHeld) {
  const Outcome told = holdfast({"run", story(R"({"fault": "lost-reply", "on": "c1",
      "at": {"client": "c1", "command": "lock", "phase": "applied"}})")});
  EXPECT_EQ(told.code, 0) << told.out << told.err;
}

TEST_F(SeamTest, ACrashedHolderLeavesNothingBehind) {
  const Outcome told =
      holdfast({"run", story(R"({"fault": "crash", "on": "c1", "at": {"client": "c1", "point": "work"}})")});
  EXPECT_EQ(told.code, 0) << told.out << told.err;
}

TEST_F(SeamTest, AFailoverGoesOnWithGreaterTokens) {
  const Outcome told = holdfast({"run", story(R"({"fault": "failover", "on": "porter",
      "at": {"client": "c1", "point": "work"}})",
                                              "porter-lock", R"({"porter": {"standbys": 1}})")});
  EXPECT_EQ(told.code, 1) << told.err;
  EXPECT_THAT(told.out, HasSubstr("granted 2"));
}

TEST_F(SeamTest, WhatASavedScenarioSaysIsReadBack) {
  const std::string file = story(eviction, "porter-lock", R"({"porter": {"standbys": 2, "silence": "3s"}})");
  const Scenario scenario = load_scenario(file, {.locks = lock_ids()});
  const Scenario again = parse_scenario(to_json_text(scenario), file, "story", {.locks = lock_ids()});
  EXPECT_EQ(to_json_text(again), to_json_text(scenario));
  EXPECT_THAT(to_json_text(scenario), HasSubstr("porter-evicts"));
  EXPECT_THAT(to_json_text(scenario), HasSubstr("silence"));
}

TEST_F(SeamTest, AFindingIsShrunkAndBreaksAgainFromItsOwnText) {
  const ExploreTarget target = small_target("porter-lock", 2, 3);
  const PieceResult result = explore(target, "swarm", 2000);
  ASSERT_FALSE(result.findings.empty());
  const ExploreFinding& finding = result.findings.front();
  Simulation simulation;
  ShrunkFinding found;
  ASSERT_TRUE(shrink(simulation, target, finding, found));
  const Scenario again = read_back(found.scenario);
  ASSERT_EQ(again.faults.size(), 1U);
  EXPECT_EQ(again.faults.front().fault, "gc-pause");
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const LockEntry& lock = *find_lock("porter-lock");
    EXPECT_EQ(simulation.run({.scenario = &again, .lock = &lock, .seed = seed, .placement = {}}).letter,
              finding.letter);
  }
}

TEST_F(SeamTest, EveryFamilyOfTheMatrixIsTriedOnIt) {
  const Outcome told = holdfast({"matrix", "--lock", "porter-lock"});
  EXPECT_THAT(told.out, HasSubstr("porter-lock")) << told.err;
}

}  // namespace holdfast::seam_test
