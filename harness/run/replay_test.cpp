// How to see a run again: the command of one by seed, and what a bug in the middle of a run says of it.
#include "harness/run/replay.h"

#include <gtest/gtest.h>

#include "harness/kernel/random_strategy.h"
#include "harness/run/test_broken_lock.h"
#include "harness/run/test_scenario.h"

namespace holdfast::replay_test {

RunRequest run_of(const Scenario& scenario, const LockEntry& lock, std::uint64_t seed) {
  RunRequest request;
  request.scenario = &scenario;
  request.lock = &lock;
  request.seed = seed;
  return request;
}

TEST(RunReplay, TheCommandNamesTheRun) {
  Scenario scenario = plain_scenario();
  scenario.name = "family-crash";
  EXPECT_EQ(replay_command(scenario, *find_lock("redis-px-cad"), 3, Placement{0, "c1", 12}),
            "holdfast run family-crash --lock redis-px-cad --seed 3 --place 1@c1:12");
  EXPECT_EQ(replay_command(scenario, *find_lock("redis-px-cad"), 1, std::nullopt),
            "holdfast run family-crash --lock redis-px-cad --seed 1");
}

TEST(RunReplay, ABugInTheMiddleOfARunSaysWhatMustHoldAndHowToSeeItAgain) {
  Scenario scenario = plain_scenario();
  scenario.typed_as = "'my own/test.json'";
  const LockEntry lock = broken_lock<BrokenLock>();
  Simulation simulation;
  const std::string sentence = broken_by([&] { simulation.run(run_of(scenario, lock, 5)); });
  EXPECT_NE(sentence.find("something is drawn from at least one thing (harness/env/env.cpp:"),
            std::string::npos)
      << sentence;
  EXPECT_TRUE(
      sentence.ends_with("to see it again: holdfast run 'my own/test.json' --lock broken-lock --seed 5"))
      << sentence;
}

TEST(RunReplay, TheNextRunIsAsIfNothingHadBeen) {
  const Scenario scenario = plain_scenario();
  const LockEntry broken = broken_lock<BrokenLock>();
  const RunRequest sound = run_of(scenario, *find_lock("redis-px-cad"), 5);
  Simulation simulation;
  const std::uint64_t before = simulation.run(sound).fingerprint;
  broken_by([&] { simulation.run(run_of(scenario, broken, 5)); });
  EXPECT_EQ(simulation.run(sound).fingerprint, before);
}

TEST(RunReplay, ARunThatAStrategySteersLeavesItToWhoeverSteers) {
  RandomStrategy strategy;
  strategy.reset(1);
  Scenario scenario = plain_scenario();
  scenario.typed_as = "test";
  const LockEntry lock = broken_lock<BrokenLock>();
  Simulation simulation;
  RunRequest request = run_of(scenario, lock, 1);
  request.strategy = &strategy;
  const std::string sentence = broken_by([&] { simulation.run(request); });
  EXPECT_EQ(sentence.find("holdfast run"), std::string::npos) << sentence;
}

// Those of envelopes and of benchmarks: "holdfast run envelope" is no command.
TEST(RunReplay, AScenarioThatIsInNoFileLeavesItToWhatWasTyped) {
  const Scenario scenario = plain_scenario();
  const LockEntry lock = broken_lock<BrokenLock>();
  const TypedInTest typed("holdfast bench warp");
  const ReplayScope scope(typed);
  Simulation simulation;
  const std::string sentence = broken_by([&] { simulation.run(run_of(scenario, lock, 1)); });
  EXPECT_TRUE(sentence.ends_with("; to see it again: holdfast bench warp")) << sentence;
}

}  // namespace holdfast::replay_test
