// A cell of the matrix: every place is tried, the worst letter stands, and its run can be had again.
#include "harness/explore/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "harness/run/test_scenario.h"
#include "harness/workload/shapes.h"
#include "locks/lookup/lookup.h"

namespace holdfast {
namespace {

class Counting final : public StepObserver {
 public:
  void on_step(const Step& step) override {
    points += step.phase == Phase::point ? 1 : 0;
    sending += step.phase == Phase::sending ? 1 : 0;
    applied += step.phase == Phase::applied ? 1 : 0;
  }
  std::uint64_t points = 0;
  std::uint64_t sending = 0;
  std::uint64_t applied = 0;
};

class SweepTest : public ::testing::Test {
 protected:
  static Scenario family(const std::string& fault, const std::string& on) {
    Scenario scenario = plain_scenario();
    scenario.column = 1;
    scenario.sweep = {some_fault(fault, on)};
    return scenario;
  }
  // Whose clients are as a family's usually are, so that shapes may be put on it.
  static Scenario open_family(const std::string& fault, const std::string& on) {
    Scenario scenario = family(fault, on);
    for (ClientSpec& client : scenario.clients) {
      client.start = {};
    }
    scenario.event_limit = 30'000;
    return scenario;
  }
  Cell run(const Scenario& scenario, std::string_view lock, SweepDepth depth = SweepDepth::usual) {
    return sweep(simulation, scenario, *find_lock(lock), 1, depth);
  }
  static const ShapeScope* scope_of(const Cell& cell, std::string_view shape) {
    const auto found = std::ranges::find(cell.shapes, shape, &ShapeScope::shape);
    return found == cell.shapes.end() ? nullptr : &*found;
  }
  Simulation simulation;
};

TEST_F(SweepTest, TriesAFaultOfClientsAtEveryStepOfTheirsThatMatters) {
  const Scenario scenario = family("gc-pause", "clients");
  Counting steps;
  RunRequest request;
  request.scenario = &scenario;
  request.lock = find_lock("redis-px-cad");
  request.step_observer = &steps;
  simulation.run(request);
  const Cell cell = run(scenario, "redis-px-cad", SweepDepth::deep);
  EXPECT_EQ(cell.runs, steps.points + steps.sending + steps.applied);
  EXPECT_GT(cell.runs, 50U);
}

TEST_F(SweepTest, TriesAFaultThatChoseAPhaseOnlyThere) {
  Scenario scenario = family("reset", "clients");
  const Cell at_all = run(scenario, "redis-px-cad");
  scenario.sweep.front().at.phase = Phase::applied;
  const Cell after = run(scenario, "redis-px-cad");
  scenario.sweep.front().at.phase = Phase::sending;
  const Cell before = run(scenario, "redis-px-cad");
  EXPECT_GT(before.runs, 0U);
  EXPECT_GT(after.runs, 0U);
  EXPECT_EQ(at_all.runs, before.runs + after.runs);
}

TEST_F(SweepTest, TheLettersOfAllRunsAddUpAndTheWorstStands) {
  const Cell cell = run(family("gc-pause", "clients"), "redis-px-cad");
  EXPECT_EQ(std::accumulate(cell.runs_by_letter.begin(), cell.runs_by_letter.end(), std::uint64_t{0}),
            cell.runs);
  EXPECT_EQ(cell.letter, Letter::violated);
  EXPECT_GT(cell.runs_by_letter[static_cast<std::size_t>(Letter::violated)], 0U);
}

TEST_F(SweepTest, TheWorstRunCanBeHadAgain) {
  const Scenario scenario = family("gc-pause", "clients");
  const Cell cell = run(scenario, "redis-px-cad");
  ASSERT_TRUE(cell.worst_placement);
  RunRequest request;
  request.scenario = &scenario;
  request.lock = find_lock("redis-px-cad");
  request.seed = cell.worst_seed;
  request.placement = cell.worst_placement;
  EXPECT_EQ(simulation.run(request).letter, cell.letter);
}

// Of the first runs under a pause that let two in, the holder wakes up before it is too late.
TEST_F(SweepTest, OfTheWorstRunsOneStandsThatShowsWhatTheLetterSays) {
  for (const char* lock : {"redisson-fenced", "redis-px-cad", "redis-watchdog"}) {
    const Scenario scenario = family("gc-pause", "clients");
    const Cell cell = run(scenario, lock);
    ASSERT_TRUE(cell.worst_placement) << lock;
    EXPECT_TRUE(cell.shows_its_letter) << lock;
    const RunReport report = simulation.run({.scenario = &scenario,
                                             .lock = find_lock(lock),
                                             .seed = cell.worst_seed,
                                             .placement = cell.worst_placement});
    EXPECT_TRUE(report.shows_its_letter) << lock;
  }
}

TEST_F(SweepTest, WithoutAFaultToPlaceEachSeedIsOneRun) {
  Scenario scenario = plain_scenario();
  scenario.seeds = 4;
  const Cell cell = run(scenario, "redis-px-cad");
  EXPECT_EQ(cell.runs, 4U);
  EXPECT_EQ(cell.letter, Letter::safe);
  EXPECT_FALSE(cell.worst_placement);
}

TEST_F(SweepTest, AFaultOfServersStrikesTheLocksServersAndNotStorage) {
  const Scenario scenario = family("failover", "servers");
  const Cell cell = run(scenario, "redis-px-cad");
  ASSERT_GT(cell.runs, 0U);
  ASSERT_TRUE(cell.worst_placement);
  EXPECT_EQ(cell.worst_placement->process, "redis");
}

TEST_F(SweepTest, ALockThatCannotTakePartIsNotRun) {
  const Cell cell = run(family("failover", "servers"), "file-lock");
  EXPECT_EQ(cell.runs, 0U);
  EXPECT_EQ(cell.letter, Letter::not_applicable);
}

TEST_F(SweepTest, AnEarlierSweepChangesNothing) {
  const Cell first = run(family("crash", "clients"), "redis-watchdog");
  run(family("gc-pause", "clients"), "redlock");
  const Cell again = run(family("crash", "clients"), "redis-watchdog");
  EXPECT_EQ(again.runs, first.runs);
  EXPECT_EQ(again.runs_by_letter, first.runs_by_letter);
  EXPECT_EQ(again.longest_wait, first.longest_wait);
}

TEST_F(SweepTest, RunsThatCouldNotHaveSaidOtherwiseAreNoEvidence) {
  Scenario scenario = family("crash", "clients");
  const Cell nobody_left = run(scenario, "local-mutex");  // one process, and it dies
  EXPECT_EQ(nobody_left.letter, Letter::undecided);
  EXPECT_EQ(nobody_left.inconclusive_runs, nobody_left.runs);
  scenario.sweep.push_back(some_fault("crash-restart", "clients"));
  const Cell some_come_back = run(scenario, "local-mutex");
  EXPECT_EQ(some_come_back.letter, Letter::safe);
  EXPECT_EQ(some_come_back.inconclusive_runs + some_come_back.runs_by_letter[1], some_come_back.runs);
  EXPECT_EQ(run(scenario, "file-lock").inconclusive_runs, 0U);
}

TEST_F(SweepTest, WhatALockIsToldThatLostItsHoldIsOfTheWorstRun) {
  const Scenario scenario = family("gc-pause", "clients");
  EXPECT_EQ(run(scenario, "redis-px-del").loss, Loss::never_told);
  EXPECT_EQ(run(scenario, "redis-px-cad").loss, Loss::told_at_release);
  EXPECT_EQ(run(scenario, "file-lock").loss, Loss::none);
}

TEST_F(SweepTest, ACellThatDidHarmIsDoneUnlessAllIsAskedFor) {
  const Scenario scenario = open_family("gc-pause", "clients");
  const Cell usual = run(scenario, "redis-px-cad");
  const Cell deep = run(scenario, "redis-px-cad", SweepDepth::deep);
  EXPECT_EQ(usual.letter, Letter::violated);
  EXPECT_TRUE(usual.shows_its_letter);
  EXPECT_TRUE(usual.is_cut_short);
  EXPECT_FALSE(deep.is_cut_short);
  EXPECT_LT(usual.runs * 5, deep.runs);
  EXPECT_EQ(deep.letter, usual.letter);
  EXPECT_EQ(deep.worst_seed,
            usual.worst_seed);  // the first of the worst is the same, however many come after
  ASSERT_TRUE(usual.worst_placement && deep.worst_placement);
  EXPECT_EQ(to_text(*deep.worst_placement), to_text(*usual.worst_placement));
}

TEST_F(SweepTest, EveryShapeThatSuitsIsTriedAndCounted) {
  const Scenario scenario = open_family("lost-reply", "clients");
  const LockEntry& lock = *find_lock("redisson-rlock");
  const Cell cell = run(scenario, "redisson-rlock");
  ASSERT_EQ(cell.shapes.size(), shapes_for(scenario, lock).size());
  std::uint64_t runs = 0;
  for (const ShapeScope& scope : cell.shapes) {
    EXPECT_GT(scope.runs, 0U) << scope.shape;
    EXPECT_EQ(scope.runs, scope.placements) << scope.shape;
    EXPECT_EQ(scope.seeds, 1U) << scope.shape;
    runs += scope.runs;
  }
  EXPECT_EQ(runs, cell.runs);
  EXPECT_NE(scope_of(cell, "reentry"), nullptr);
  EXPECT_EQ(scope_of(cell, "roles"), nullptr);  // it is no read-write lock
}

TEST_F(SweepTest, WhatOnlyAShapeBreaksIsFoundAndItsRunCanBeHadAgain) {
  const Scenario scenario = open_family("delay", "clients");
  const Cell cell =
      run(scenario, "redis-px-del");  // long work: the late DEL of one frees the lock of another
  EXPECT_EQ(cell.letter, Letter::violated);
  EXPECT_EQ(cell.worst_shape, "long-work");
  const Scenario worked = worst_scenario(scenario, cell);
  EXPECT_EQ(worked.shape, "long-work");
  RunRequest request;
  request.scenario = &worked;
  request.lock = find_lock("redis-px-del");
  request.seed = cell.worst_seed;
  request.placement = cell.worst_placement;
  EXPECT_EQ(simulation.run(request).letter, Letter::violated);
}

// Who waits in a fair queue behind the dead asks again and again: such runs reach their usual limits
// undecided.
TEST_F(SweepTest, OfUndecidedRunsTheFirstFewAreFollowedAndTheOthersAreCounted) {
  const Cell cell = run(open_family("crash", "clients"), "redisson-fair");
  EXPECT_GT(cell.not_followed_runs, 0U);
  EXPECT_EQ(cell.runs_by_letter[static_cast<std::size_t>(Letter::undecided)], 0U);
  EXPECT_EQ(std::accumulate(cell.runs_by_letter.begin(), cell.runs_by_letter.end(), std::uint64_t{0}) +
                cell.not_followed_runs + cell.inconclusive_runs,
            cell.runs);
}

TEST_F(SweepTest, AClockThatNobodyLooksAtIsSetOnce) {
  const Scenario scenario = open_family("clock-jump", "clients");
  const auto of_plain = [&](std::string_view lock, SweepDepth depth) {
    return scope_of(run(scenario, lock, depth), "plain")->runs;
  };
  EXPECT_EQ(of_plain("redis-px-cad", SweepDepth::usual), scenario.clients.size());
  EXPECT_GT(of_plain("redis-px-cad", SweepDepth::deep), 20U);
  EXPECT_GT(of_plain("redlock-wall", SweepDepth::usual), 20U);  // it looks
}

TEST_F(SweepTest, WhereAWaiterOnlyAsksAgainShapesTryTheFirstAndTheLast) {
  Scenario scenario = open_family("lost-reply", "clients");
  scenario.settings.retry_interval = ScenarioDuration{20ms, 0};
  const Cell usual = run(scenario, "redis-px-cad");
  const Cell deep = run(scenario, "redis-px-cad", SweepDepth::deep);
  EXPECT_EQ(scope_of(usual, "plain")->repetitions, 0U);
  EXPECT_GT(scope_of(usual, "staggered")->repetitions, 20U);
  EXPECT_EQ(scope_of(deep, "staggered")->repetitions, 0U);
  EXPECT_EQ(scope_of(deep, "staggered")->placements,
            scope_of(usual, "staggered")->placements + scope_of(usual, "staggered")->repetitions);
}

}  // namespace
}  // namespace holdfast
