// A store that has standbys, and no lag between them that a scenario could set.
#include <gtest/gtest.h>

#include "harness/explore/shrink.h"
#include "harness/explore/test_target.h"
#include "harness/seam/porter/node.h"

namespace holdfast::standby_test {

TEST(Standbys, AreAddedForAFailoverAndStayWhereItTakesThem) {
  Scenario scenario;
  scenario.name = "small";
  scenario.any_lock = true;
  scenario.column = 1;
  scenario.event_limit = 30'000;
  scenario.clients.resize(1);
  scenario.clients.front().name = "c1";
  const ExploreTarget target = make_target(
      *find_lock("porter-lock"), scenario,
      {menu_fault("failover", "servers"), menu_fault("gc-pause", "clients", ScenarioDuration{0s, 1500})},
      {.clients = 2, .rounds = 2, .most_faults = 1, .fixed_latency = true});
  EXPECT_EQ(target.scenario.topology.of("porter").count(porter::standbys_option), 1);

  const PieceResult result = explore(target, "swarm", 500);
  ASSERT_GE(result.findings.size(), 2U);
  Simulation simulation;
  for (const ExploreFinding& finding : result.findings) {
    ShrunkFinding found;
    ASSERT_TRUE(shrink(simulation, target, finding, found)) << "run " << finding.run;
    ASSERT_EQ(found.scenario.faults.size(), 1U);
    const bool has_failover = found.scenario.faults.front().fault == "failover";
    EXPECT_EQ(found.scenario.topology.of("porter").count(porter::standbys_option), has_failover ? 1 : 0);
  }
}

}  // namespace holdfast::standby_test
