// How: each shape is put on a plain family, and what its clients then do is looked at in histories of real
// runs.
#include "harness/workload/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/run/test_scenario.h"
#include "harness/scenario/file/load.h"
#include "harness/scenario/file/save.h"
#include "harness/scenario/shelf/shelf.h"
#include "harness/text/bad_input.h"

namespace holdfast {
namespace shapes_test {

Scenario family() {
  Scenario scenario = plain_scenario();
  scenario.title = "none";
  scenario.about = "Nothing goes wrong.";
  scenario.lock = "redis-px-cad";
  scenario.column = 1;
  scenario.event_limit = 100'000;
  for (ClientSpec& client : scenario.clients) {
    client.start = {};
  }
  return scenario;
}

std::set<std::string_view> ids(const Scenario& scenario, std::string_view lock) {
  std::set<std::string_view> result;
  for (const Shape* shape : shapes_for(scenario, lock_called(std::string(lock)))) {
    result.insert(shape->id);
  }
  return result;
}

struct Worked {
  Worked(std::string_view shape, std::string_view lock_id)
      : scenario(shaped(family(), *find_shape(shape))), lock(lock_called(std::string(lock_id))) {
    report = simulation.run({.scenario = &scenario, .lock = &lock, .placement = std::nullopt});
  }
  std::size_t count(EventType type, Operation operation) const {
    return static_cast<std::size_t>(std::ranges::count_if(simulation.history().events(), [&](const Event& e) {
      return e.type == type && e.operation == operation;
    }));
  }
  Scenario scenario;
  const LockEntry& lock;
  Simulation simulation;
  RunReport report;
};

TEST(Shapes, ThePlainOneComesFirstAndChangesNothing) {
  EXPECT_EQ(all_shapes().front().id, "plain");
  const Scenario before = family();
  const Scenario after = shaped(before, all_shapes().front());
  EXPECT_EQ(to_json_text(after), to_json_text(before));
  EXPECT_EQ(after.shape, "");
}

TEST(Shapes, NamesAreUniqueAndEveryOtherOneChangesSomething) {
  std::set<std::string_view> seen;
  for (const Shape& shape : all_shapes()) {
    EXPECT_TRUE(seen.insert(shape.id).second) << shape.id;
    EXPECT_EQ(find_shape(shape.id), &shape);
    const Scenario after = shaped(family(), shape);
    EXPECT_EQ(to_json_text(after) == to_json_text(family()), shape.id == "plain") << shape.id;
  }
  EXPECT_EQ(find_shape("no-such"), nullptr);
}

TEST(Shapes, AScenarioWithAShapeIsOneThatAFileCanSay) {
  for (const Shape& shape : all_shapes()) {
    const Scenario after = shaped(family(), shape);
    const std::string text = to_json_text(after);
    const Scenario read = parse_scenario(text, "shaped.json", "shaped", known_names());
    EXPECT_EQ(to_json_text(read), text) << shape.id;
  }
}

TEST(Shapes, WhatALockClaimsDecidesWhichAreTried) {
  EXPECT_TRUE(ids(family(), "redisson-rlock").contains("reentry"));
  EXPECT_FALSE(ids(family(), "redis-px-cad").contains("reentry"));
  EXPECT_TRUE(ids(family(), "redisson-rlock").contains("several-leases"));
  EXPECT_FALSE(ids(family(), "redis-px-cad").contains("several-leases"));
  EXPECT_TRUE(ids(family(), "redisson-rw").contains("roles"));
  EXPECT_FALSE(ids(family(), "redis-setnx").contains("brim"));  // it has no lease
  EXPECT_FALSE(ids(family(), "local-mutex").contains("objects"));
  EXPECT_EQ(ids(family(), "redisson-latch"), (std::set<std::string_view>{"plain", "staggered"}));
}

TEST(Shapes, WhatAFamilySaysOfItsClientsStands) {
  Scenario slow = family();
  slow.workload.work = ScenarioDuration{Duration::zero(), 1500};
  EXPECT_FALSE(ids(slow, "redis-px-cad").contains("long-work"));
  EXPECT_TRUE(ids(slow, "redis-px-cad").contains("threads"));
  Scenario rounds = family();
  rounds.workload.rounds = 2;
  EXPECT_EQ(ids(rounds, "redis-px-cad"), (std::set<std::string_view>{"plain"}));
  Scenario roles = family();
  roles.clients[1].role = "reader";
  EXPECT_EQ(ids(roles, "redisson-rw"), (std::set<std::string_view>{"plain"}));
  Scenario cuts = family();
  cuts.sweep = {some_fault("partition", "clients")};
  EXPECT_FALSE(ids(cuts, "redis-px-cad").contains("brim"));
  cuts.sweep = {some_fault("clock-drift", "clients")};
  EXPECT_TRUE(ids(cuts, "redis-px-cad").contains("brim"));
}

TEST(Shapes, EveryLockComesThroughEachOfItsShapesWhereNothingGoesWrong) {
  for (const LockEntry& lock : all_locks()) {
    const auto is = [&](std::string_view id) { return lock.id == id; };
    if (is("redis-hash-reentrant-literal") || is("redis-lua-000") || is("redis-recursive-retry")) {
      continue;  // every acquire of theirs, or every release, is an error; or they work again and again
    }
    for (const Shape* shape : shapes_for(family(), lock)) {
      const Worked worked(shape->id, lock.id);
      EXPECT_EQ(worked.report.end, RunEnd::finished) << lock.id << " " << shape->id;
      EXPECT_GT(worked.report.grants, 0U) << lock.id << " " << shape->id;
    }
  }
}

TEST(Shapes, LongWorkTakesMostOfTheLeaseInEachRound) {
  const Worked worked("long-work", "redis-px-cad");
  EXPECT_EQ(worked.count(EventType::ok, Operation::acquire), 6U);
  EXPECT_GE(worked.report.true_time, 6 * 8s);
}

TEST(Shapes, ThreadsOfAClientTakeTurns) {
  for (const char* shape : {"threads", "objects"}) {
    const Worked worked(shape, "redisson-rlock");
    std::map<std::pair<ProcessId, std::uint32_t>, int> grants;
    for (const Event& event : worked.simulation.history().events()) {
      grants[{event.process, event.thread}] +=
          event.type == EventType::ok && event.operation == Operation::acquire ? 1 : 0;
    }
    std::erase_if(grants, [](const auto& each) { return each.second == 0; });
    EXPECT_EQ(grants.size(), 4U) << shape;
    EXPECT_TRUE(std::ranges::all_of(grants, [](const auto& each) { return each.second == 2; })) << shape;
  }
}

TEST(Shapes, WithObjectsOfTheirOwnThreadsShareNothingThatALockKeepsInOne) {
  // A mutex in the memory of an object excludes only those who have that object.
  const Scenario together = shaped(family(), *find_shape("threads"));
  Scenario apart = together;
  apart.workload.own_objects = true;
  Simulation simulation;
  const LockEntry& lock = lock_called("local-mutex");
  EXPECT_EQ(simulation.run({.scenario = &together, .lock = &lock, .placement = std::nullopt}).letter,
            Letter::safe);
  EXPECT_EQ(simulation.run({.scenario = &apart, .lock = &lock, .placement = std::nullopt}).letter,
            Letter::violated);
}

TEST(Shapes, WhoIsImpatientGivesUpAndComesAgain) {
  for (const char* lock : {"redis-px-cad", "redisson-rlock", "redisson-fair", "local-mutex", "file-lock"}) {
    const Worked worked("impatient", lock);
    EXPECT_GT(worked.count(EventType::fail, Operation::acquire), 0U) << lock;
    EXPECT_EQ(worked.count(EventType::ok, Operation::acquire), 6U) << lock;
    EXPECT_EQ(worked.report.letter, Letter::safe) << lock;
  }
}

TEST(Shapes, RolesChangeWithoutLettingGoInBetween) {
  const Worked worked("roles", "redisson-rw");
  EXPECT_EQ(worked.count(EventType::ok, Operation::acquire), 9U);
  EXPECT_EQ(worked.report.letter, Letter::safe);
}

TEST(Shapes, ReentryIsTwoHoldsEachRound) {
  const Worked worked("reentry", "redis-hash-reentrant");
  EXPECT_EQ(worked.count(EventType::ok, Operation::acquire), 12U);
  EXPECT_EQ(worked.report.letter, Letter::safe);
  EXPECT_EQ(Worked("reentry", "redis-value-reentrant").report.letter, Letter::violated);  // it does not count
}

TEST(Shapes, AStrangerMayLiveInTheProcessOfWhoHoldsTheLock) {
  Scenario foreign = family();
  foreign.workload.kind = "foreign";
  foreign.workload.work = ScenarioDuration{Duration::zero(), 800};
  foreign.properties = {"ownership", "operation"};
  foreign.sweep = {some_fault("gc-pause", "c1")};
  const Scenario threads = shaped(foreign, *find_shape("threads"));
  EXPECT_TRUE(threads.sweep.empty());  // it would make those late who live in the same process
  Simulation simulation;
  const auto letter = [&](const char* lock) {
    return simulation.run({.scenario = &threads, .lock = find_lock(lock), .placement = std::nullopt}).letter;
  };
  EXPECT_EQ(letter("redisson-rlock"), Letter::safe);
  EXPECT_EQ(letter("redis-px-del"), Letter::violated);
}

TEST(Shapes, OnesThatDoNotGoTogetherAreRefusedInASentence) {
  const LockEntry& lock = lock_called("redis-px-cad");
  EXPECT_EQ(&shape_called("threads", family(), lock), find_shape("threads"));
  EXPECT_THROW(shape_called("thread", family(), lock), BadInput);
  EXPECT_THROW(shape_called("reentry", family(), lock), BadInput);
  Scenario story = family();
  story.column.reset();
  EXPECT_THROW(shape_called("threads", story, lock), BadInput);
}

}  // namespace shapes_test
}  // namespace holdfast
