// Whole runs: the letters that a few well-known stories must come to, placements, replays, and what a thread
// or a process that dies leaves behind.
#include "harness/run/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/explore/choice_log.h"
#include "harness/run/test_scenario.h"
#include "locks/lookup/lookup.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SimulationTest : public ::testing::Test {
 protected:
  RunReport run(const Scenario& scenario, std::string_view lock, std::uint64_t seed = 1) {
    RunRequest request;
    request.scenario = &scenario;
    request.lock = find_lock(lock);
    request.seed = seed;
    request.explain = true;
    return simulation.run(request);
  }
  static Scenario with_fault(std::string_view id, const std::string& on, std::string_view point) {
    Scenario scenario = plain_scenario();
    FaultSpec fault = some_fault(id, on);
    fault.at.name = std::string(point);
    scenario.faults = {fault};
    return scenario;
  }
  Simulation simulation;
};

TEST_F(SimulationTest, WithoutFaultsAProperLockIsSafeAndEveryoneGetsIt) {
  const RunReport report = run(plain_scenario(), "redis-px-cad");
  EXPECT_EQ(report.letter, Letter::safe);
  EXPECT_EQ(report.end, RunEnd::finished);
  EXPECT_EQ(report.grants, 3U);
  EXPECT_THAT(report.faults_not_struck, IsEmpty());
  EXPECT_FALSE(report.verdicts.empty());
}

TEST_F(SimulationTest, APauseLongerThanTheLeaseGivesTwoHolders) {
  const RunReport report = run(with_fault("gc-pause", "c1", "work"), "redis-px-cad");
  EXPECT_EQ(report.letter, Letter::violated);
  EXPECT_THAT(report.verdicts[0].sentence, HasSubstr("c1 believed to hold the lock"));
}

TEST_F(SimulationTest, AFencingTokenSavesTheResource) {
  EXPECT_EQ(run(with_fault("gc-pause", "c1", "work"), "redisson-fenced").letter, Letter::fenced);
  Scenario unchecked = with_fault("gc-pause", "c1", "work");
  unchecked.topology.token_checking = "off";
  EXPECT_EQ(run(unchecked, "redisson-fenced").letter, Letter::violated);
}

TEST_F(SimulationTest, ACrashUnderALeaseIsBoundedByIt) {
  const RunReport report = run(with_fault("crash", "c1", "acquired"), "redis-px-cad");
  EXPECT_EQ(report.letter, Letter::stuck_bounded);
  EXPECT_GT(report.longest_wait, 9s);
  EXPECT_LT(report.longest_wait, 11s);
}

TEST_F(SimulationTest, ACrashUnderALockWithoutALeaseIsForEver) {
  EXPECT_EQ(run(with_fault("crash", "c1", "acquired"), "redis-setnx").letter, Letter::stuck_for_ever);
}

TEST_F(SimulationTest, ACrashedFlockIsReleasedByTheSystem) {
  EXPECT_EQ(run(with_fault("crash", "c1", "acquired"), "file-lock").letter, Letter::safe);
  EXPECT_EQ(run(with_fault("crash", "c1", "acquired"), "file-lock-excl").letter, Letter::stuck_for_ever);
}

TEST_F(SimulationTest, ARestartedClientBeginsItsWorkAgain) {
  const Scenario scenario = with_fault("crash-restart", "c1", "acquired");
  const RunReport report = run(scenario, "redis-px-cad");
  EXPECT_EQ(report.end, RunEnd::finished);
  EXPECT_EQ(report.grants, 4U);
}

TEST_F(SimulationTest, ACrashAndRestartWithinOneEventBeginsTheWorkAgain) {
  Scenario scenario = plain_scenario();
  FaultSpec fault = some_fault("crash-restart", "c1");
  fault.at.phase = Phase::arrived;
  fault.at.name = "SET";
  fault.lasts.reset();
  fault.until = StepSelector{};
  fault.until->process = "c1";
  fault.until->phase = Phase::applied;
  scenario.faults = {fault};
  const RunReport report = run(scenario, "redis-px-cad");
  EXPECT_EQ(report.end, RunEnd::finished);
  EXPECT_EQ(report.grants, 3U);
}

TEST_F(SimulationTest, AThreadThatDiesWaitingForAMessageIsNotToldOfIt) {
  Scenario scenario = plain_scenario();
  scenario.clients.resize(2);
  scenario.clients[1].threads = 2;
  scenario.clients[1].start = ScenarioDuration{100ms, 0};
  scenario.workload.work = ScenarioDuration{2s, 0};
  FaultSpec fault = some_fault("crash", "c2");
  set_option(fault, "thread", 2);
  fault.at.time = ScenarioDuration{1s, 0};
  scenario.faults = {fault};
  const RunReport report = run(scenario, "redisson-rlock");
  EXPECT_EQ(report.end, RunEnd::finished);
  EXPECT_EQ(report.grants, 2U);
  EXPECT_EQ(report.letter, Letter::safe);
}

// Wherever it dies, at a point of its work or at a step of a call.
TEST_F(SimulationTest, AThreadThatIsDeadDoesNothingMore) {
  for (const char* const lock : {"redis-px-cad", "redisson-rlock", "file-lock", "redisson-multi"}) {
    for (std::uint32_t step = 1; step <= 40; ++step) {
      Scenario scenario = plain_scenario();
      FaultSpec fault = some_fault("crash", "c2");
      set_option(fault, "thread", 1);
      fault.at.ordinal = step;
      scenario.faults = {fault};
      run(scenario, lock);
      bool is_dead = false;
      for (const Event& event : simulation.history().events()) {
        const bool is_of_the_thread =
            event.thread == 1 && simulation.history().process_name(event.process) == "c2";
        const bool is_own = event.type != EventType::applied && event.type != EventType::stored &&
                            event.type != EventType::rejected;  // what it had sent is still executed
        EXPECT_FALSE(is_dead && is_of_the_thread && is_own)
            << lock << ", step " << step << ": " << to_json_line(event, simulation.history());
        is_dead = is_dead || (is_of_the_thread && event.type == EventType::died);
      }
    }
  }
}

TEST_F(SimulationTest, WaitingBehindAStrangerThatHoldsTheLockIsNotAFailureOfTheLock) {
  Scenario scenario = plain_scenario("foreign");
  scenario.workload.work = ScenarioDuration{0s, 800};
  const RunReport report = run(scenario, "redis-px-cad");
  EXPECT_EQ(report.letter, Letter::safe);
}

TEST_F(SimulationTest, AStrangersReleaseIsNotTakenByALockThatAsksForTheOwner) {
  Scenario scenario = plain_scenario("foreign");
  scenario.workload.work = ScenarioDuration{0s, 800};
  const RunReport owned = run(scenario, "redis-px-cad");
  EXPECT_EQ(owned.verdicts[0].property, "ownership");
  EXPECT_EQ(owned.verdicts[0].judgement, Judgement::holds);
  EXPECT_EQ(run(scenario, "redis-px-del").verdicts[0].judgement, Judgement::violated);
}

TEST_F(SimulationTest, ReportsAFaultThatFoundNoPlace) {
  const Scenario scenario = with_fault("crash", "c1", "no such point");
  EXPECT_THAT(run(scenario, "redis-px-cad").faults_not_struck, ElementsAre(0U));
}

TEST_F(SimulationTest, AReplayOfTheLogIsTheSameRun) {
  const Scenario scenario = eventful_scenario();
  const RunReport original = run(scenario, "redis-px-cad", 5);
  const std::string lines = lines_of(simulation.history());
  ChoiceLog log;
  for (const Choice& choice : simulation.choices().log()) {
    const StreamName& name = simulation.choices().name(choice.stream);
    log.choices.push_back({std::string(name.name), name.first, name.second, choice.options, choice.picked});
  }
  ASSERT_FALSE(log.choices.empty());
  ReplayStrategy replay(log);
  RunRequest request;
  request.scenario = &scenario;
  request.lock = find_lock("redis-px-cad");
  request.seed = 99;  // not asked
  request.strategy = &replay;
  EXPECT_EQ(simulation.run(request).fingerprint, original.fingerprint);
  EXPECT_EQ(lines_of(simulation.history()), lines);
  EXPECT_EQ(replay.divergence(), "");
}

TEST_F(SimulationTest, ALockOfOneProcessRunsThereUnlessTheStoryIsAboutThat) {
  const Scenario any = plain_scenario();
  EXPECT_EQ(run(any, "local-mutex").letter, Letter::safe);
  Scenario cluster = plain_scenario();
  cluster.any_lock = false;
  EXPECT_EQ(run(cluster, "local-mutex").letter, Letter::violated);
}

TEST_F(SimulationTest, TheTimeLimitIsReportedWhereTheLetterDoesNotDependOnWhatComesAfter) {
  Scenario scenario = plain_scenario();
  scenario.time_limit = ScenarioDuration{100ms, 0};
  scenario.properties = {"mutual-exclusion"};
  const RunReport report = run(scenario, "redis-px-cad");
  EXPECT_EQ(report.end, RunEnd::time_limit);
  EXPECT_EQ(report.true_time, 100ms);
}

TEST_F(SimulationTest, ATimeLimitDoesNotMakeALockStuck) {
  Scenario scenario = plain_scenario();
  scenario.time_limit = ScenarioDuration{100ms, 0};
  const RunReport report = run(scenario, "redis-px-cad");
  EXPECT_EQ(report.end, RunEnd::finished);
  EXPECT_EQ(report.letter, Letter::safe);
}

TEST_F(SimulationTest, WhereEveryClientDiesNobodyIsLeftToJudge) {
  Scenario scenario = plain_scenario();
  FaultSpec crash = some_fault("crash", "c1");
  crash.lasts.reset();
  crash.at.name = "work";
  scenario.faults = {crash};
  const RunReport alone = run(scenario, "local-mutex");  // all its threads are c1's
  EXPECT_EQ(alone.inconclusive, Inconclusive::nobody_left);
  EXPECT_EQ(alone.told_letter(), Letter::undecided);
  const RunReport survived = run(scenario, "file-lock");
  EXPECT_EQ(survived.inconclusive, Inconclusive::no);
  EXPECT_EQ(survived.told_letter(), Letter::safe);
}

TEST_F(SimulationTest, AFaultThatFindsNoPlaceLeavesTheRunInconclusive) {
  Scenario scenario = plain_scenario();
  FaultSpec pause = some_fault("gc-pause", "c1");
  pause.at.name = "work";
  pause.at.nth = 99;
  scenario.faults = {pause};
  const RunReport report = run(scenario, "redis-px-cad");
  EXPECT_EQ(report.inconclusive, Inconclusive::fault_not_struck);
  EXPECT_EQ(report.told_letter(), Letter::undecided);
}

// Believes in the lock for a second; then it knows that the lease is over.
class KnowsItsLeaseLock final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;
  Task<Released> release(Caller&, LockMode) override { co_return Released::refused("not mine"); }
  bool lost(const Caller& me) const override { return me.env.monotonic() >= granted_ + 1s; }

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    granted_ = me.env.monotonic();
    co_return Acquired::granted();
  }

 private:
  Duration granted_{0};
};

TEST_F(SimulationTest, WhoKnowsThatItsHoldIsGoneDoesNotWrite) {
  LockEntry lock = *find_lock("redis-px-cad");
  lock.id = "knows-its-lease";
  lock.make = [](LockSettings settings) -> std::unique_ptr<Lock> {
    return std::make_unique<KnowsItsLeaseLock>(std::move(settings));
  };
  Scenario scenario = plain_scenario();
  scenario.workload.work = ScenarioDuration{2s, 0};
  Simulation one;
  const RunReport report =
      one.run({.scenario = &scenario, .lock = &lock, .placement = std::nullopt, .explain = true});
  EXPECT_EQ(report.loss, Loss::told_before_write);
  EXPECT_FALSE(report.shows_its_letter) << "nobody wrote";
  scenario.workload.work = ScenarioDuration{500ms, 0};
  EXPECT_EQ(one.run({.scenario = &scenario, .lock = &lock, .placement = std::nullopt}).loss,
            Loss::told_at_release);
}

TEST(PlacementText, ReadsBackWhatItWrites) {
  EXPECT_EQ(to_text(Placement{0, "c1", 12}), "1@c1:12");
  const std::optional<Placement> read = placement_from("2@redis-1:7");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->fault, 1U);
  EXPECT_EQ(read->process, "redis-1");
  EXPECT_EQ(read->ordinal, 7U);
}

TEST(PlacementText, RefusesAnythingElse) {
  for (const char* text : {"", "1", "1@", "1@c1", "1@c1:", "@c1:1", "0@c1:1", "1@c1:0", "1@c1:x", "x@c1:1",
                           "1:c1@1", "1@c1:99999999999", "-1@c1:1"}) {
    EXPECT_FALSE(placement_from(text)) << text;
  }
}

TEST(Applicability, SaysWhyALockCannotTakePart) {
  EXPECT_EQ(why_not_applicable(plain_scenario(), *find_lock("redis-px-cad")), "");
  EXPECT_THAT(why_not_applicable(plain_scenario("oversell"), *find_lock("redisson-latch")),
              HasSubstr("redisson-latch cannot do the workload \"oversell\""));
  EXPECT_THAT(why_not_applicable(plain_scenario("foreign"), *find_lock("local-mutex")),
              HasSubstr("one process"));
  Scenario servers = plain_scenario();
  servers.sweep = {some_fault("failover", "servers")};
  EXPECT_EQ(why_not_applicable(servers, *find_lock("file-lock")), "file-lock uses no server");
  EXPECT_EQ(why_not_applicable(servers, *find_lock("redis-px-cad")), "");
}

}  // namespace
}  // namespace holdfast
