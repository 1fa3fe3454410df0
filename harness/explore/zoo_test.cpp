// How: every mutant is looked for by every strategy with a bounded number of runs; some strategy finds it,
// and none accuses the correct lock in the same scope. What was found is shrunk and run again.
#include "harness/explore/zoo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/explore/shrunk_run.h"
#include "locks/lookup/lookup.h"

namespace holdfast {
namespace zoo_test {

constexpr std::uint64_t most_runs = 400;
// Of a lock that is never accused, by each strategy.
#ifdef HOLDFAST_SANITIZED
constexpr std::uint64_t correct_runs = 30;
#else
constexpr std::uint64_t correct_runs = most_runs;
#endif

std::vector<std::string> mutant_names() {
  std::vector<std::string> names;
  for (const MutantEntry& mutant : all_mutants()) {
    names.emplace_back(mutant.lock.id);
  }
  return names;
}

class Mutant : public testing::TestWithParam<std::string> {
 protected:
  const MutantEntry& mutant() const { return *find_mutant(GetParam()); }

  // The first strategy that finds it.
  const ExplorerEntry* find(ExploreFinding& finding) {
    for (const ExplorerEntry& explorer : all_explorers()) {
      MutantSearch search = search_mutant(simulation_, mutant(), mutant().lock, explorer, most_runs);
      if (search.finding) {
        finding = std::move(*search.finding);
        return &explorer;
      }
    }
    return nullptr;
  }

  Simulation simulation_;
};

TEST_P(Mutant, IsFoundAndWhatIsLeftOfItAfterShrinkingReplays) {
  ExploreFinding finding;
  const ExplorerEntry* const explorer = find(finding);
  ASSERT_NE(explorer, nullptr);
  EXPECT_TRUE(mutant().scope.accuses(finding.letter));
  ShrunkFinding shrunk;
  ASSERT_TRUE(shrink(simulation_, mutant_target(mutant(), mutant().lock, *explorer), finding, shrunk));

  Simulation another;
  const RunReport again = another.run(ShrunkRun(shrunk, *find_lock(GetParam())).request());
  EXPECT_EQ(again.letter, finding.letter);
  EXPECT_EQ(again.fingerprint, shrunk.fingerprint);
}

TEST_P(Mutant, HasACorrectLockThatNoStrategyAccuses) {
  const LockEntry& correct = *find_lock(mutant().correct);
  for (const ExplorerEntry& explorer : all_explorers()) {
    const MutantSearch search = search_mutant(simulation_, mutant(), correct, explorer, correct_runs);
    EXPECT_GT(search.runs, 1U) << explorer.name;
    EXPECT_FALSE(search.finding) << explorer.name << ": " << to_text(search.finding->letter) << " in run "
                                 << search.finding->run << " by " << search.finding->kinds();
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, Mutant, testing::ValuesIn(mutant_names()),
                         [](const testing::TestParamInfo<std::string>& each) {
                           std::string name = each.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Zoo, HasAtLeastTwentyWithNamesOfTheirOwnThatNoListOfLocksShows) {
  EXPECT_GE(all_mutants().size(), 20U);
  std::set<std::string_view> ids;
  for (const MutantEntry& mutant : all_mutants()) {
    EXPECT_TRUE(mutant.lock.id.starts_with("mutant-"));
    EXPECT_TRUE(ids.insert(mutant.lock.id).second) << mutant.lock.id;
    EXPECT_EQ(find_lock(mutant.lock.id), &mutant.lock);
    EXPECT_FALSE(mutant.bug.empty()) << mutant.lock.id;
    EXPECT_EQ(std::ranges::count(all_locks(), mutant.lock.id, &LockEntry::id), 0) << mutant.lock.id;
    EXPECT_EQ(std::ranges::count(all_locks(), mutant.correct, &LockEntry::id), 1) << mutant.lock.id;
  }
}

// A scope that accused nobody would pass every lock: here it is the lease of another lock that breaks.
TEST(Zoo, AScopeAccusesALockThatIsNotAsCorrectAsItSays) {
  const MutantEntry& mutant = *find_mutant("mutant-px-get-del");
  Simulation simulation;
  std::size_t accusers = 0;
  for (const ExplorerEntry& explorer : all_explorers()) {
    const MutantSearch search =
        search_mutant(simulation, mutant, *find_lock("redis-px-get-del"), explorer, most_runs);
    accusers += search.finding && search.finding->letter == Letter::violated ? 1 : 0;
  }
  EXPECT_GE(accusers, 2U);
}

}  // namespace zoo_test
}  // namespace holdfast
