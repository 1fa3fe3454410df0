// How: targets whose shapes are drawn, beside the same without any.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "harness/explore/exploration/exploration.h"
#include "harness/explore/test_target.h"
#include "harness/workload/shapes.h"

namespace holdfast {
namespace shape_drawing_test {

ExploreTarget target_of(std::string_view lock, const TargetOptions& options,
                        std::vector<FaultSpec> menu = {}) {
  Scenario scenario;
  scenario.name = "small";
  scenario.any_lock = true;
  scenario.column = 1;
  scenario.event_limit = 30'000;
  scenario.clients.resize(1);
  scenario.clients.front().name = "c1";
  return make_target(*find_lock(lock), scenario, menu, options);
}

ExploreTarget drawing_target(std::string_view lock, std::uint32_t most_faults = 0) {
  return target_of(lock, {.clients = 3, .most_faults = most_faults, .draws_shapes = true},
                   {menu_fault("gc-pause", "clients", ScenarioDuration{0s, 1500})});
}

TEST(ShapeDrawing, ATargetHasThePlainShapeAndAllThatSuitItsLock) {
  const ExploreTarget target = drawing_target("redisson-rw");
  EXPECT_EQ(target.scenario.shape, "");
  std::set<std::string> ids;
  for (std::size_t shape = 1; shape < target.shape_count(); ++shape) {
    ids.insert(target.in_shape(shape).shape);
    EXPECT_EQ(&target.in_shape(target.in_shape(shape).shape), &target.in_shape(shape));
  }
  EXPECT_EQ(ids.size(), target.shapes.size());
  EXPECT_TRUE(ids.contains("roles"));
  EXPECT_EQ(&target.in_shape(""), &target.scenario);
}

TEST(ShapeDrawing, OneThatWasAskedForIsTheOnlyOne) {
  const ExploreTarget target =
      target_of("redis-px-cad", {.clients = 3, .most_faults = 0, .draws_shapes = true, .shape = "threads"});
  EXPECT_EQ(target.shape_count(), 1U);
  EXPECT_EQ(target.scenario.shape, "threads");
  EXPECT_EQ(target.scenario.clients.size(), 2U);
}

TEST(ShapeDrawing, AboutHalfOfTheRunsArePlainAndEveryShapeIsDrawn) {
  for (const char* strategy : {"random", "swarm", "pct", "mutate"}) {
    const std::unique_ptr<Explorer> explorer = find_explorer(strategy)->make(1, ExploreProbe{});
    std::map<std::size_t, int> drawn;
    for (std::uint64_t run = 0; run < 400; ++run) {
      ASSERT_TRUE(explorer->begin(run));
      ++drawn[explorer->pick_shape(5)];
      explorer->end({}, Choices{}, {static_cast<std::uint32_t>(run)});
    }
    EXPECT_EQ(drawn.size(), 5U) << strategy;
    EXPECT_GT(drawn[0], 120) << strategy;
    EXPECT_LT(drawn[0], 300) << strategy;
  }
}

TEST(ShapeDrawing, StrategiesThatTryEverythingTryEveryShapeToItsEnd) {
  const ExploreTarget target = target_of(
      "redis-px-cad", {.clients = 2, .most_faults = 0, .fixed_latency = true, .draws_shapes = true});
  const PieceResult all = explore(target, "every-step", 1000);
  EXPECT_TRUE(all.has_every_run);
  EXPECT_EQ(all.runs, target.shape_count());  // without faults each shape is one run
}

TEST(ShapeDrawing, WhatOnlyAShapeShowsIsFoundShrunkAndHadAgain) {
  // It does not count how often its holder entered: nothing needs to go wrong but that somebody does.
  const ExploreTarget target = drawing_target("redis-value-reentrant");
  for (const char* strategy : {"random", "swarm", "pct", "mutate", "every-step"}) {
    const PieceResult result = explore(target, strategy, 300);
    ASSERT_FALSE(result.findings.empty()) << strategy;
    const ExploreFinding& finding = result.findings.front();
    EXPECT_EQ(finding.letter, Letter::violated) << strategy;
    EXPECT_EQ(finding.shape, "reentry") << strategy;
    Simulation simulation;
    const auto again = explore_run(
        simulation, {.target = &target, .explorer = find_explorer(strategy), .seed = 1, .is_time_up = {}},
        finding.run);
    ASSERT_TRUE(again) << strategy;
    EXPECT_EQ(again->shape, finding.shape) << strategy;
    EXPECT_EQ(again->letter, finding.letter) << strategy;
    ShrunkFinding story;
    ASSERT_TRUE(shrink(simulation, target, finding, story)) << strategy;
    EXPECT_EQ(story.scenario.workload.kind, "reentrant") << strategy;
    EXPECT_EQ(story.scenario.workload.rounds, 1U) << strategy;
  }
}

TEST(ShapeDrawing, PlainRunsAreAsTheyAreWithoutShapes) {
  ExploreTarget drawn = drawing_target("redis-px-cad", 2);
  ExploreTarget plain = drawn;
  plain.shapes.clear();
  for (const char* strategy : {"random", "swarm", "pct"}) {
    std::size_t compared = 0;
    for (std::uint64_t run = 0; run < 20; ++run) {
      Simulation simulation;
      const PieceRequest of_drawn{
          .target = &drawn, .explorer = find_explorer(strategy), .seed = 1, .is_time_up = {}};
      const PieceRequest of_plain{
          .target = &plain, .explorer = find_explorer(strategy), .seed = 1, .is_time_up = {}};
      const auto one = explore_run(simulation, of_drawn, run);
      const auto other = explore_run(simulation, of_plain, run);
      if (one->shape.empty()) {
        ++compared;
        EXPECT_EQ(one->choices.size(), other->choices.size()) << strategy << " " << run;
        EXPECT_EQ(one->letter, other->letter) << strategy << " " << run;
      }
    }
    EXPECT_GT(compared, 3U) << strategy;
  }
}

TEST(ShapeDrawing, ShrinkingLeavesOutWhatTheWorkDoesNotNeed) {
  // Long work, threads and a second round are not needed for a pause to outlive a lease.
  ExploreTarget target = drawing_target("redis-px-cad", 1);
  ExploreFinding found;
  for (std::uint64_t run = 0; found.shape != "threads" && run < 3000; ++run) {
    Simulation simulation;
    const auto made = explore_run(
        simulation, {.target = &target, .explorer = find_explorer("swarm"), .seed = 1, .is_time_up = {}},
        run);
    if (made->letter == Letter::violated && made->shape == "threads") {
      found = *made;
    }
  }
  ASSERT_EQ(found.shape, "threads");
  Simulation simulation;
  ShrunkFinding story;
  ASSERT_TRUE(shrink(simulation, target, found, story));
  EXPECT_EQ(story.scenario.workload.rounds, 1U);
  EXPECT_LE(story.steps, 16U);
}

}  // namespace shape_drawing_test
}  // namespace holdfast
