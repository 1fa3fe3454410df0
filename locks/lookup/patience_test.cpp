// Every lock on Redis that claims to be timed gives up when the caller's patience is over, and leaves nothing
// behind that was not there before.
//
// A holds (all permits, if there are several), B gives up after a second and a half; what the servers keep
// then is compared with a run in which B never came. Designs that take a lock that is held grant it to B at
// once: that is their mistake, and told elsewhere.
#include <gtest/gtest.h>

#include "harness/stores/redis/model/model_nodes.h"
#include "locks/redis/redisson/conformance/test_world.h"

namespace holdfast::redisson {
namespace patience_test {

constexpr std::int64_t asked_at_ms = 200;
constexpr std::int64_t patience_ms = 1500;
// A spinning design notices at its next try; a multi-lock has several servers to leave.
constexpr std::int64_t longest_delay_ms = 300;

TestSequence sequence_of(const LockEntry& lock, bool b_comes) {
  const bool is_latch = lock.kind == LockKind::latch;
  TestSequence sequence{.name = std::string(lock.id),
                        .servers = lock.needs.servers,
                        .replicas = lock.needs.replicas,
                        .steps = {{0, "a:1", is_latch ? "latch.set 2" : "x.lock"}},
                        .until_ms = 2500};
  if (lock.kind == LockKind::semaphore) {
    sequence.steps.push_back({50, "a:2", "x.lock"});
  }
  if (b_comes) {
    const std::string what = is_latch ? "latch.await " : "x.try ";
    sequence.steps.push_back({asked_at_ms, "b:1", what + std::to_string(patience_ms)});
  }
  return sequence;
}

std::vector<const LockEntry*> timed_locks() {
  std::vector<const LockEntry*> result;
  for (const LockEntry& lock : all_locks()) {
    const bool takes_what_is_held = lock.id == "redis-setex" || lock.id == "redis-set-ex-no-nx";
    const bool is_always_an_error = lock.id == "redis-hash-reentrant-literal";
    if (lock.needs.store == redis::Client::store_id && lock.features.timed && !takes_what_is_held &&
        !is_always_an_error) {
      result.push_back(&lock);
    }
  }
  return result;
}

std::map<std::string, std::string> texts(const Kept& kept) {
  std::map<std::string, std::string> all;
  for (const auto& [key, value] : kept) {
    all[key] = value.text;
  }
  return all;
}

class Timed : public testing::TestWithParam<const LockEntry*> {};

TEST_P(Timed, GivesUpInTimeAndLeavesNothingBehind) {
  const LockEntry& lock = *GetParam();
  const TestNames names = {{"x", std::string(lock.id)}, {"latch", std::string(lock.id)}};
  const TestSequence alone = sequence_of(lock, false);
  const TestSequence with_b = sequence_of(lock, true);
  redis::ModelNodes models_alone;
  redis::ModelNodes models;
  TestWorld world_alone(alone, names, models_alone);
  TestWorld world(with_b, names, models);
  world_alone.run();
  const Json seen = world.run();

  const Json& calls = seen.at("calls");
  const auto of_b = std::ranges::find(calls, Json("b:1"), [](const Json& call) { return call.at("who"); });
  ASSERT_NE(of_b, calls.end()) << "it still waits";
  EXPECT_EQ(of_b->at("result"), "busy");
  EXPECT_GE(of_b->at("at"), asked_at_ms + patience_ms);
  EXPECT_LE(of_b->at("at"), asked_at_ms + patience_ms + longest_delay_ms);
  for (std::size_t server = 0; server < lock.needs.servers; ++server) {
    EXPECT_EQ(texts(world.kept(server)), texts(world_alone.kept(server))) << "server " << server;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryLock, Timed, testing::ValuesIn(timed_locks()), [](const auto& tested) {
  std::string name(tested.param->id);
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace patience_test
}  // namespace holdfast::redisson
