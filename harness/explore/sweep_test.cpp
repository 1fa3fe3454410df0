// A cell of the matrix: every place is tried, the worst letter stands, and its run can be had again.
#include "harness/explore/sweep.h"

#include <gtest/gtest.h>

#include <numeric>

#include "harness/run/test_scenario.h"
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
  Cell run(const Scenario& scenario, std::string_view lock) {
    return sweep(simulation, scenario, *find_lock(lock), 1);
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
  const Cell cell = run(scenario, "redis-px-cad");
  EXPECT_EQ(cell.runs, steps.points + steps.sending + steps.applied);
  EXPECT_GT(cell.runs, 50U);
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

}  // namespace
}  // namespace holdfast
