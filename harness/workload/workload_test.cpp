// Workloads: their names, which lock can do which, and what each leaves in the history.
#include "harness/workload/workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "harness/run/test_scenario.h"
#include "locks/lookup/lookup.h"

namespace holdfast {
namespace {

TEST(WorkloadNames, ACycleIsWhateverTheKindOfLockDoes) {
  EXPECT_EQ(workload_for("cycle", LockKind::mutex), WorkloadKind::cycle);
  EXPECT_EQ(workload_for("cycle", LockKind::read_write), WorkloadKind::readers_writers);
  EXPECT_EQ(workload_for("cycle", LockKind::semaphore), WorkloadKind::permits);
  EXPECT_EQ(workload_for("cycle", LockKind::latch), WorkloadKind::latch);
}

TEST(WorkloadNames, EveryNameMeansItself) {
  for (const char* name :
       {"reentrant", "twice", "foreign", "readers-writers", "permits", "latch", "oversell"}) {
    EXPECT_EQ(to_text(workload_for(name, LockKind::mutex)), name);
  }
  EXPECT_THROW(workload_for("nonsense", LockKind::mutex), std::logic_error);
}

TEST(WorkloadNames, ALockDoesOnlyWhatItsKindCan) {
  EXPECT_TRUE(can_do(WorkloadKind::cycle, LockKind::mutex));
  EXPECT_TRUE(can_do(WorkloadKind::oversell, LockKind::read_write));
  EXPECT_FALSE(can_do(WorkloadKind::readers_writers, LockKind::mutex));
  EXPECT_FALSE(can_do(WorkloadKind::latch, LockKind::mutex));
  EXPECT_FALSE(can_do(WorkloadKind::cycle, LockKind::semaphore));
  EXPECT_FALSE(can_do(WorkloadKind::foreign, LockKind::latch));
}

class WorkloadTest : public ::testing::Test {
 protected:
  // How often each (type, operation) stands in the history of a run without faults.
  std::map<std::string, int> run(const std::string& workload, std::string_view lock,
                                 std::uint32_t rounds = 1) {
    Scenario scenario = plain_scenario(workload);
    scenario.workload.rounds = rounds;
    RunRequest request;
    request.scenario = &scenario;
    request.lock = find_lock(lock);
    report = simulation.run(request);
    std::map<std::string, int> counts;
    for (const Event& event : simulation.history().events()) {
      ++counts[std::string(to_text(event.type)) + " " + std::string(to_text(event.operation))];
    }
    return counts;
  }
  Simulation simulation;
  RunReport report;
};

TEST_F(WorkloadTest, ACycleAcquiresReadsWritesAndReleasesEachRound) {
  std::map<std::string, int> counts = run("cycle", "redis-px-cad", 2);
  EXPECT_EQ(counts["ok acquire"], 6);
  EXPECT_EQ(counts["ok read"], 6);
  EXPECT_EQ(counts["ok write"], 6);
  EXPECT_EQ(counts["stored write"], 6);
  EXPECT_EQ(counts["ok release"], 6);
}

TEST_F(WorkloadTest, ReentrantHoldsTwice) {
  std::map<std::string, int> counts = run("reentrant", "redis-hash-reentrant");
  EXPECT_EQ(counts["ok acquire"], 6);
  EXPECT_EQ(counts["ok release"], 6);
  EXPECT_EQ(report.letter, Letter::safe);
}

TEST_F(WorkloadTest, TwiceCatchesALockThatGivesUpAfterOneRelease) {
  run("twice", "redis-hash-reentrant");
  EXPECT_EQ(report.letter, Letter::safe);
  run("twice", "redis-value-reentrant");
  EXPECT_NE(report.letter, Letter::safe);
}

TEST_F(WorkloadTest, ReadersShareAndWritersWrite) {
  std::map<std::string, int> counts = run("readers-writers", "redisson-rw");
  EXPECT_EQ(counts["ok acquire"], 3);
  EXPECT_EQ(counts["stored write"], 2);
  EXPECT_EQ(report.letter, Letter::safe);
}

TEST_F(WorkloadTest, PermitsAreHandedOutAndBack) {
  std::map<std::string, int> counts = run("permits", "redisson-semaphore");
  EXPECT_EQ(counts["ok acquire"], 3);
  EXPECT_EQ(counts["ok release"], 3);
  EXPECT_EQ(report.letter, Letter::safe);
}

TEST_F(WorkloadTest, ALatchOpensWhenAllHaveCountedDown) {
  std::map<std::string, int> counts = run("latch", "redisson-latch");
  EXPECT_EQ(counts["ok count-down"], 2);
  EXPECT_EQ(counts["ok await"], 1);
  EXPECT_EQ(report.letter, Letter::safe);
}

TEST_F(WorkloadTest, OversellSellsTheStockAndNoMore) {
  std::map<std::string, int> counts = run("oversell", "redis-px-cad", 3);
  EXPECT_EQ(counts["stored write"], 3);
  EXPECT_EQ(report.letter, Letter::safe);
}

}  // namespace
}  // namespace holdfast
