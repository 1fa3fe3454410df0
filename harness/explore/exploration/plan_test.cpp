// How: the pieces of all shards are counted; together they are all runs, each once.
#include "harness/explore/exploration/plan.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "locks/lookup/lookup.h"

namespace holdfast {
namespace explore_plan_test {

const Shelf& shelf() {
  static const Shelf the_shelf{std::string(HOLDFAST_SOURCE_DIR "/scenarios")};
  return the_shelf;
}

ExplorePlan plan_of(const ExploreRequest& request) {
  TargetShelf targets(shelf());
  return {request, targets};
}

ExploreRequest three_locks() {
  ExploreRequest request;
  request.locks = {find_lock("redis-setnx"), find_lock("redis-px-cad"), find_lock("redlock")};
  request.explorers = explorers_called({"mutate", "swarm", "pct"});
  request.runs = 5200;
  return request;
}

TEST(ExplorePlan, ShardsShareOutAllRunsWhateverTheirNumber) {
  for (const std::uint64_t shards : {1, 2, 3, 4, 6, 7, 30, 100}) {
    std::map<std::string, std::set<std::uint64_t>> firsts;
    std::map<std::string, std::uint64_t> runs;
    for (std::uint64_t shard = 0; shard < shards; ++shard) {
      ExploreRequest request = three_locks();
      request.shard = shard;
      request.shards = shards;
      const ExplorePlan plan = plan_of(request);
      std::map<std::size_t, std::uint64_t> places;
      for (std::uint64_t number = 0; number < plan.piece_count(); ++number) {
        const PlannedPiece piece = plan.piece(number);
        EXPECT_TRUE(plan.has_piece_of(piece.target));
        EXPECT_EQ(piece.place, places[piece.target]++) << shards;  // one after another
        const std::string target = piece.name.lock + " " + piece.name.strategy;
        EXPECT_TRUE(firsts[target].insert(piece.name.first).second);
        runs[target] += piece.name.count;
      }
      for (std::size_t target = 0; target < plan.targets().size(); ++target) {
        EXPECT_EQ(plan.has_piece_of(target), places.contains(target)) << shards;
      }
    }
    ASSERT_EQ(runs.size(), 9U) << shards;
    for (const auto& [target, count] : runs) {
      EXPECT_EQ(count, 5200U) << target << " in " << shards;
    }
  }
}

TEST(ExplorePlan, TargetsStandInTheOrderOfTheCatalogs) {
  const ExplorePlan plan = plan_of(three_locks());
  std::vector<std::string> names;
  for (const PlannedTarget& target : plan.targets()) {
    names.push_back(target.name.lock + " " + target.name.strategy);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"redis-setnx swarm", "redis-setnx pct", "redis-setnx mutate",
                                             "redis-px-cad swarm", "redis-px-cad pct", "redis-px-cad mutate",
                                             "redlock swarm", "redlock pct", "redlock mutate"}));
}

TEST(ExplorePlan, TimeMakesTheSamePiecesAndEveryShardHasSome) {
  ExploreRequest timed = three_locks();
  timed.runs = std::nullopt;
  timed.seconds = 3;
  timed.explorers = explorers_called({"swarm"});
  timed.shard = 899;
  timed.shards = 1000;
  const ExplorePlan plan = plan_of(timed);
  EXPECT_GT(plan.piece_count(), 1'000'000U);
  const PieceName piece = plan.piece(5).name;
  EXPECT_EQ(piece.first % runs_of_a_piece, 0U);
  EXPECT_EQ(piece.count, runs_of_a_piece);
}

TEST(ExplorePlan, LearnersShareTheTime) {
  ExploreRequest request = three_locks();
  request.runs = std::nullopt;
  request.seconds = 12;
  request.explorers = explorers_called({"mutate"});
  EXPECT_DOUBLE_EQ(plan_of(request).seconds_of_a_learner(1), 4);
  EXPECT_DOUBLE_EQ(plan_of(request).seconds_of_a_learner(2), 6);
  EXPECT_DOUBLE_EQ(plan_of(request).seconds_of_a_learner(8), 12);
  request.explorers = explorers_called({"mutate", "swarm"});  // which needs a share of its own
  EXPECT_DOUBLE_EQ(plan_of(request).seconds_of_a_learner(1), 2);
  request.explorers = explorers_called({"mutate"});
  request.shard = 1;
  request.shards = 2;
  EXPECT_DOUBLE_EQ(plan_of(request).seconds_of_a_learner(1), 12);
}

}  // namespace explore_plan_test
}  // namespace holdfast
