// How: small targets whose answers are known. A strategy that turns every choice is counted; what it finds is
// what is there. Every strategy finds the pause that breaks a lease, and accuses no lock that cannot break.
#include "harness/explore/strategies/explorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "faults/catalog.h"
#include "harness/explore/exploration/exploration.h"
#include "harness/explore/test_target.h"
#include "harness/scenario/file/option_text.h"

namespace holdfast {
namespace explorer_test {

constexpr std::uint64_t no_limit = 1'000'000;

class EveryStrategy : public testing::TestWithParam<std::string> {};

TEST_P(EveryStrategy, FindsThePauseThatOutlivesTheLease) {
  const PieceResult result = explore(small_target("redis-px-cad"), GetParam(), 3000);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings.front().letter, Letter::violated);
  EXPECT_EQ(result.findings.front().kinds(), "gc-pause");
}

TEST_P(EveryStrategy, AccusesNoLockThatHolds) {
  // A lock in one process: nothing on the menu can make two of its threads hold it.
  const PieceResult result = explore(small_target("local-mutex"), GetParam(), 2000);
  EXPECT_EQ(runs_with(result, Letter::violated), 0U);
}

TEST_P(EveryStrategy, DoesTheSameTwice) {
  const ExploreTarget target = small_target("redis-watchdog", 2, 3);
  const PieceResult one = explore(target, GetParam(), 500);
  const PieceResult other = explore(target, GetParam(), 500);
  EXPECT_EQ(one.runs_by_letter, other.runs_by_letter);
  ASSERT_EQ(one.findings.size(), other.findings.size());
  for (std::size_t index = 0; index < one.findings.size(); ++index) {
    EXPECT_EQ(one.findings[index].run, other.findings[index].run);
  }
}

std::vector<FaultSpec> stock_menu() {
  const Shelf shelf{std::string(HOLDFAST_SOURCE_DIR "/scenarios")};
  TargetShelf targets(shelf);
  PieceName name;
  name.lock = "redis-px-cad";
  name.scenario = usual_scenario;
  name.strategy = "random";
  return targets.target(name).scope.menu;
}

// What can become of one message, and of one thread.
TEST(StockMenu, HasEveryFaultOfAMessageAndOfAThread) {
  std::set<std::string> has;
  for (const FaultSpec& fault : stock_menu()) {
    has.insert(
        fault.fault + (fault.at.phase ? " at " + std::string(to_text(*fault.at.phase)) : "") +
        (fault.fault == "delay" ? " by " + value_text(fault.options.value(options_of(fault)[0])) : ""));
  }
  for (const char* const expected : {"lost-request", "lost-reply", "reset at sending", "reset at applied",
                                     "delay by 1100ms", "delay by 1.5 ttl", "crash", "thread-crash"}) {
    EXPECT_THAT(has, testing::Contains(expected));
  }
}

// Every fault that the families sweep is drawn, and strikes.
TEST_P(EveryStrategy, ReachesEveryFaultOfTheStockMenu) {
  const Shelf shelf{std::string(HOLDFAST_SOURCE_DIR "/scenarios")};
  TargetShelf targets(shelf);
  PieceName name;
  name.lock = "redis-px-cad";
  name.scenario = usual_scenario;
  name.strategy = GetParam();
  name.clients = 2;
  name.rounds = 1;
  name.most_faults = 1;
  const ExploreTarget target = targets.target(name);
  Simulation simulation;
  const std::unique_ptr<Explorer> explorer = find_explorer(GetParam())->make(1, probe(simulation, target, 1));
  std::set<std::size_t> missing;
  for (std::size_t entry = 0; entry < target.scope.menu.size(); ++entry) {
    missing.insert(entry);
  }
  for (std::uint64_t run = 0; run < 20'000 && !missing.empty() && explorer->begin(run); ++run) {
    const RunReport report = simulation.run({.scenario = &target.scenario,
                                             .lock = target.lock,
                                             .seed = 1,
                                             .placement = std::nullopt,
                                             .strategy = explorer.get(),
                                             .scope = &target.scope});
    explorer->end(report, simulation.kernel().choices(), {});
    for (const InjectedFault& each : simulation.injected()) {
      missing.erase(each.entry);
    }
  }
  EXPECT_THAT(missing, testing::IsEmpty());
}

// Either loses the request of a count-down, which nobody sends again.
TEST_P(EveryStrategy, FindsTheRequestThatIsLostAloneOrWithItsConnection) {
  for (const char* const fault : {"lost-request", "reset"}) {
    ExploreTarget target = small_target("redisson-latch");
    target.scope.menu = {menu_fault(fault, "clients")};
    EXPECT_GT(runs_with(explore(target, GetParam(), 500), Letter::stuck_for_ever), 0U) << fault;
    target.scope.menu.front().at.phase = Phase::applied;
    EXPECT_EQ(runs_with(explore(target, GetParam(), 500), Letter::stuck_for_ever), 0U)
        << fault << " only where it was executed";
  }
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const ExplorerEntry& entry : all_explorers()) {
    result.emplace_back(entry.name);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, EveryStrategy, testing::ValuesIn(names()),
                         [](const testing::TestParamInfo<std::string>& each) {
                           std::string name = each.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(Explore, PiecesOfAStrategyThatDoesNotLearnAreTheWhole) {
  const ExploreTarget target = small_target("redis-px-cad", 2, 3);
  PieceResult parts = explore(target, "swarm", 200, 0);
  add(parts, explore(target, "swarm", 300, 200));
  const PieceResult whole = explore(target, "swarm", 500);
  EXPECT_EQ(parts.runs, whole.runs);
  EXPECT_EQ(parts.runs_by_letter, whole.runs_by_letter);
  EXPECT_EQ(parts.marks, whole.marks);
  ASSERT_EQ(parts.findings.size(), whole.findings.size());
  EXPECT_EQ(parts.findings.front().run, whole.findings.front().run);
}

// With no fault to place, only the order of two requests to the same server is left to choose.
TEST(Explore, ExhaustiveWithoutFaultsTriesEveryOrderOfMessagesAndSaysSo) {
  const PieceResult result = explore(small_target("redis-px-cad", 0), "exhaustive", no_limit);
  EXPECT_TRUE(result.has_every_run);
  EXPECT_GT(result.runs, 1U);
  EXPECT_EQ(runs_with(result, Letter::safe), result.runs);
  EXPECT_NE(result.marks & bit_of(Mark::message_overtaken), 0U);
}

TEST(Explore, EveryStepPlacesEachFaultAtEachStep) {
  const ExploreTarget target = small_target("redis-px-cad");
  Simulation simulation;
  const ExploreProbe questions = probe(simulation, target, 1);
  const PieceResult result = explore(target, "every-step", no_limit);
  EXPECT_TRUE(result.has_every_run);
  // One run without a fault, and one for each question of that run.
  EXPECT_EQ(result.runs, 1 + questions.fault_questions);
}

TEST(Explore, ExhaustiveFindsWhatBreaksWithoutAnyFault) {
  for (const char* lock : {"redis-setex", "redis-set-ex-no-nx", "local-mutex-per-instance"}) {
    const PieceResult result = explore(small_target(lock, 0), "exhaustive", no_limit);
    EXPECT_GT(runs_with(result, Letter::violated), 0U) << lock;
  }
}

}  // namespace explorer_test
}  // namespace holdfast
