// How: the same runs made in one piece, in several and one by one come to the same.
#include "harness/explore/campaign.h"

#include <gtest/gtest.h>

#include "harness/explore/test_target.h"

namespace holdfast {
namespace campaign_test {

std::vector<std::uint64_t> runs_of_findings(const PieceResult& result) {
  std::vector<std::uint64_t> runs;
  for (const ExploreFinding& finding : result.findings) {
    runs.push_back(finding.run);
  }
  return runs;
}

TEST(PieceSum, IsTheSameInWhateverOrderPiecesAreDone) {
  const ExploreTarget target = small_target("redis-px-cad", 2, 3);
  PieceSum in_order;
  PieceSum shuffled;
  for (const std::uint64_t place : {0, 1, 2, 3, 4}) {
    in_order.take(place, explore(target, "swarm", 100, place * 100));
    EXPECT_EQ(in_order.waiting(), 0U);  // nothing is kept
  }
  for (const std::uint64_t place : {3, 1, 4, 0, 2}) {
    shuffled.take(place, explore(target, "swarm", 100, place * 100));
  }
  EXPECT_EQ(shuffled.waiting(), 0U);
  const PieceResult one = in_order.finish();
  const PieceResult other = shuffled.finish();
  EXPECT_EQ(one.runs, 500U);
  EXPECT_EQ(one.runs_by_letter, other.runs_by_letter);
  ASSERT_FALSE(one.findings.empty());
  EXPECT_EQ(runs_of_findings(one), runs_of_findings(other));
  EXPECT_EQ(runs_of_findings(one), runs_of_findings(explore(target, "swarm", 500)));
}

TEST(PieceSum, PassesOverPiecesThatNeverCame) {
  const ExploreTarget target = small_target("redis-px-cad");
  PieceSum sum;
  sum.take(0, explore(target, "swarm", 10));
  sum.take(2, explore(target, "swarm", 30, 20));
  EXPECT_EQ(sum.waiting(), 1U);
  EXPECT_EQ(sum.finish().runs, 40U);
}

// A finding that shows its letter is kept beside an earlier one that does not, and stands before it.
TEST(Campaign, WhatShowsItsLetterStandsFirst) {
  const ExploreTarget target = small_target("redisson-fenced", 1, 2);
  const PieceResult result = explore(target, "random", 3000);
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings.front().letter, Letter::fenced);
  EXPECT_TRUE(result.findings.front().shows_its_letter);
  Simulation simulation;
  for (std::size_t index = 1; index < result.findings.size(); ++index) {
    const ExploreFinding& before = result.findings[index - 1];
    const ExploreFinding& finding = result.findings[index];
    EXPECT_TRUE(before.letter != finding.letter || before.shows_its_letter || !finding.shows_its_letter);
  }
}

TEST(Campaign, ARunIsMadeAgainAlone) {
  const ExploreTarget target = small_target("redis-px-cad", 2, 3);
  for (const char* strategy : {"swarm", "random", "pct", "mutate", "every-step"}) {
    const PieceResult all = explore(target, strategy, 400);
    ASSERT_FALSE(all.findings.empty()) << strategy;
    for (const ExploreFinding& finding : all.findings) {
      PieceRequest request;
      request.target = &target;
      request.explorer = find_explorer(strategy);
      Simulation simulation;
      const auto again = explore_run(simulation, request, finding.run);
      ASSERT_TRUE(again) << strategy;
      EXPECT_EQ(again->letter, finding.letter) << strategy << " " << finding.run;
      EXPECT_EQ(again->kinds(), finding.kinds()) << strategy << " " << finding.run;
      EXPECT_EQ(again->choices.size(), finding.choices.size()) << strategy << " " << finding.run;
    }
  }
}

TEST(Campaign, ASafeRunIsToldTooAndOneBehindTheLastIsNone) {
  const ExploreTarget target = small_target("redis-px-cad");
  PieceRequest request;
  request.target = &target;
  request.explorer = find_explorer("every-step");
  Simulation simulation;
  EXPECT_EQ(explore_run(simulation, request, 0)->letter, Letter::safe);
  const std::uint64_t all = explore(target, "every-step", 1'000'000).runs;
  EXPECT_TRUE(explore_run(simulation, request, all - 1));
  EXPECT_FALSE(explore_run(simulation, request, all));
  EXPECT_FALSE(explore_run(simulation, request, all + 5));
}

TEST(Campaign, KindsAreSortedAndCounted) {
  EXPECT_EQ(kinds_text({}, "+"), "");
  EXPECT_EQ(
      kinds_text({menu_fault("gc-pause", "c1"), menu_fault("crash", "c2"), menu_fault("crash", "c1")}, "+"),
      "crash+crash+gc-pause");
}

}  // namespace campaign_test
}  // namespace holdfast
