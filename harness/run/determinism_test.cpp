// What a run does depends on its request alone: for every lock, whatever ran before, with and without
// details, the same seed gives the same fingerprint and the same bytes of history.
#include <gtest/gtest.h>

#include "harness/run/test_scenario.h"
#include "locks/lookup/lookup.h"

namespace holdfast {
namespace {

struct RunOutcome {
  std::uint64_t fingerprint = 0;
  std::string lines;
  std::uint64_t events = 0;

  friend bool operator==(const RunOutcome&, const RunOutcome&) = default;
};

class Determinism : public ::testing::TestWithParam<const LockEntry*> {
 protected:
  RunOutcome run(Simulation& simulation, std::uint64_t seed, bool details = false) const {
    RunRequest request;
    request.scenario = &scenario;
    request.lock = GetParam();
    request.seed = seed;
    request.details = details;
    const RunReport report = simulation.run(request);
    return {report.fingerprint, lines_of(simulation.history()), report.events};
  }

  const Scenario scenario = eventful_scenario();
};

TEST_P(Determinism, TheSameSeedTwiceIsTheSameRun) {
  Simulation simulation;
  const RunOutcome first = run(simulation, 1);
  EXPECT_FALSE(first.lines.empty());
  EXPECT_EQ(run(simulation, 1), first);
}

TEST_P(Determinism, OtherSeedsInBetweenChangeNothingInEitherOrder) {
  Simulation one_way;
  const RunOutcome first = run(one_way, 1);
  const RunOutcome second = run(one_way, 2);
  run(one_way, 3);
  EXPECT_EQ(run(one_way, 1), first);
  Simulation other_way;
  EXPECT_EQ(run(other_way, 2), second);
  EXPECT_EQ(run(other_way, 1), first);
}

TEST_P(Determinism, OtherLocksInBetweenChangeNothing) {
  Simulation simulation;
  const RunOutcome first = run(simulation, 1);
  for (const char* other : {"redlock", "redisson-multi", "local-mutex", "redisson-latch"}) {
    RunRequest request;
    request.scenario = &scenario;
    request.lock = find_lock(other);
    simulation.run(request);
  }
  EXPECT_EQ(run(simulation, 1), first);
}

TEST_P(Determinism, AFreshSimulationGivesTheSameRun) {
  Simulation used;
  run(used, 7);
  Simulation fresh;
  EXPECT_EQ(run(fresh, 1), run(used, 1));
}

TEST_P(Determinism, DetailsAreOnlyForTheEye) {
  Simulation simulation;
  const RunOutcome without = run(simulation, 1);
  const RunOutcome with = run(simulation, 1, true);
  const std::size_t detailed_size = simulation.history().events().size();
  EXPECT_EQ(with, without);
  EXPECT_EQ(run(simulation, 1), without);
  if (GetParam()->needs.servers > 0) {
    EXPECT_GT(detailed_size, simulation.history().events().size());
  }
}

// Without servers little is left to chance.
class DeterminismWithServers : public Determinism {};

std::vector<const LockEntry*> locks_with_servers() {
  std::vector<const LockEntry*> locks = every_lock();
  std::erase_if(locks, [](const LockEntry* lock) { return lock->needs.servers == 0; });
  return locks;
}

TEST_P(DeterminismWithServers, AnotherSeedIsAnotherRun) {
  Simulation simulation;
  EXPECT_NE(run(simulation, 1).fingerprint, run(simulation, 2).fingerprint);
}

INSTANTIATE_TEST_SUITE_P(EveryLock, Determinism, ::testing::ValuesIn(every_lock()),
                         [](const auto& tested) { return test_name(tested.param->id); });

INSTANTIATE_TEST_SUITE_P(EveryLock, DeterminismWithServers, ::testing::ValuesIn(locks_with_servers()),
                         [](const auto& tested) { return test_name(tested.param->id); });

}  // namespace
}  // namespace holdfast
