// A fault of a store's own: where it is refused, and where it is left out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "faults/catalog.h"
#include "harness/explore/sweep.h"
#include "harness/explore/test_target.h"
#include "harness/live/control/live_run.h"
#include "harness/seam/test_program.h"
#include "harness/text/bad_input.h"

namespace holdfast::seam_fault_test {

using ::testing::HasSubstr;

constexpr const char* eviction =
    R"({"fault": "porter-evicts", "on": "porter", "at": {"server": "porter", "step": 1}})";

Scenario family_of_two_faults() {
  Scenario family;
  family.name = "both";
  family.lock = "porter-lock";
  family.any_lock = true;
  family.column = 1;
  family.clients.resize(1);
  family.clients.front().name = "c1";
  family.sweep = {menu_fault("porter-evicts", "servers"), menu_fault("crash", "clients")};
  return family;
}

TEST_F(SeamTest, AFaultSaysWhoseItIs) {
  EXPECT_EQ(find_fault("porter-evicts")->store, "porter");
  EXPECT_EQ(find_fault("gc-pause")->store, "");
  EXPECT_THAT(holdfast({"list", "faults"}).out, HasSubstr("(porter alone)"));
}

TEST_F(SeamTest, AStoryWithALockOfAnotherStoreIsRefusedWithFileAndField) {
  const Outcome told = holdfast({"run", story(eviction, "redis-px-cad")});
  EXPECT_EQ(told.code, 2);
  EXPECT_EQ(told.out, "");
  EXPECT_THAT(told.err, HasSubstr("story.json"));
  EXPECT_THAT(told.err, HasSubstr("faults[0].fault"));
  EXPECT_THAT(told.err, HasSubstr("porter-evicts strikes only servers of porter, and redis-px-cad runs on "
                                  "redis; expected a lock of porter, or another fault"));
}

TEST_F(SeamTest, ItStrikesNoProcessOfAnotherStore) {
  const Outcome told = holdfast(
      {"run", story(R"({"fault": "porter-evicts", "on": "redis", "at": {"server": "porter", "step": 1}})")});
  EXPECT_EQ(told.code, 2);
  EXPECT_THAT(told.err, HasSubstr("faults[0].on"));
  EXPECT_THAT(told.err, HasSubstr("porter-evicts strikes only servers of porter"));
}

TEST_F(SeamTest, ASweepTriesItWhereItCanStrike) {
  const Scenario family = family_of_two_faults();
  Simulation simulation;
  const std::uint64_t both = sweep(simulation, family, *find_lock("porter-lock"), 1).runs;
  const std::uint64_t on_redis = sweep(simulation, family, *find_lock("redis-px-cad"), 1).runs;
  Scenario crashes = family;
  crashes.sweep.erase(crashes.sweep.begin());
  EXPECT_EQ(sweep(simulation, crashes, *find_lock("redis-px-cad"), 1).runs, on_redis);
  EXPECT_GT(both, sweep(simulation, crashes, *find_lock("porter-lock"), 1).runs);
  crashes.sweep = {family.sweep.front()};
  EXPECT_EQ(why_not_applicable(crashes, *find_lock("redis-px-cad")),
            "porter-evicts strikes only servers of porter, and redis-px-cad runs on redis");
}

TEST_F(SeamTest, ItIsNotPlacedByHandElsewhereEither) {
  const Scenario family = family_of_two_faults();
  Simulation simulation;
  EXPECT_THROW(
      simulation.run(
          {.scenario = &family, .lock = find_lock("redis-px-cad"), .placement = Placement{0, "redis", 1}}),
      BadInput);
}

TEST_F(SeamTest, AMenuHasItWhereItCanStrike) {
  const Scenario family = family_of_two_faults();
  EXPECT_EQ(make_target(*find_lock("porter-lock"), family, {}, {}).scope.menu.size(), 2U);
  EXPECT_EQ(make_target(*find_lock("redis-px-cad"), family, {}, {}).scope.menu.size(), 1U);
}

TEST_F(SeamTest, ALiveRunDoesNotTellItAsStruck) {
  Scenario scenario = family_of_two_faults();
  scenario.faults = {menu_fault("porter-evicts", "porter")};
  live::LiveRequest request;
  request.scenario = &scenario;
  request.lock = find_lock("porter-lock");
  EXPECT_EQ(live::why_not_live(request),
            "porter-evicts is a fault of porter's own, which holdfast cannot bring upon real servers in real "
            "time.");
}

}  // namespace holdfast::seam_fault_test
