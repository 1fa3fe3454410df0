// Runs that do not come to an end: which of them are stuck for ever, and which only take long.
//
// Locks made here are held by nobody, and refuse whoever asks: for ever, or until something comes that no
// answer tells of.
#include "harness/run/standstill.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "harness/run/simulation.h"
#include "harness/run/test_scenario.h"
#include "locks/redis/client.h"

namespace holdfast {
namespace {

// The first to ask leaves a key behind that nobody takes away.
class LeftForEverLock final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;
  Task<Released> release(Caller&, LockMode) override { co_return Released::done(); }

 private:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    co_await redis::client(me).command("SETNX", "left", "behind");
    co_return Acquired::busy();
  }
};

// It expires after many minutes, which no answer tells. Then whoever comes has the lock.
class LeftForLongLock final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;
  Task<Released> release(Caller&, LockMode) override { co_return Released::done(); }

 private:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const redis::Answer is_first = co_await redis::client(me).command("SETNX", "once", "done");
    if (is_first.is(1)) {
      co_await redis::client(me).command("SET", "left", "behind", "PX", 700'000);
    }
    const redis::Answer there = co_await redis::client(me).command("EXISTS", "left");
    co_return there.is(0) ? Acquired::granted() : Acquired::busy();
  }
};

// Refuses until the time of day has come that a client reckons by itself.
class ByTheClockLock final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;
  Task<Released> release(Caller&, LockMode) override { co_return Released::done(); }

 private:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    co_await redis::client(me).command("GET", "when");
    opens_ = opens_ == Duration::zero() ? me.env.wall() + 700s : opens_;
    co_return me.env.wall() < opens_ ? Acquired::busy() : Acquired::granted();
  }
  Duration opens_{0};
};

// The same, but the time of day stands at the server, and each try says what time it is there.
class ByTheStampLock final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;
  Task<Released> release(Caller&, LockMode) override { co_return Released::done(); }

 private:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const std::int64_t now = me.env.wall_ms();
    co_await redis::client(me).command("SETNX", "opens", now + 700'000);
    const redis::Answer opens = co_await redis::client(me).command("GET", "opens");
    co_return !opens.failed() && std::stoll(opens.reply.text) <= now ? Acquired::granted() : Acquired::busy();
  }
};

template <class OneOfThem>
LockEntry entry() {
  LockEntry made = *find_lock("redis-px-cad");
  made.id = "made-lock";
  made.ttl = Duration::zero();
  made.make = [](LockSettings settings) -> std::unique_ptr<Lock> {
    return std::make_unique<OneOfThem>(std::move(settings));
  };
  return made;
}

template <class OneOfThem>
RunReport run_of(std::uint64_t event_limit = 100'000) {
  Scenario scenario = plain_scenario();
  scenario.event_limit = event_limit;
  scenario.time_limit = ScenarioDuration{60s, 0};
  scenario.properties = {"progress"};  // once it is free, all have it at once
  const LockEntry lock = entry<OneOfThem>();
  Simulation simulation;
  return simulation.run({.scenario = &scenario, .lock = &lock, .placement = std::nullopt, .explain = true});
}

TEST(Standstill, WhoAsksTheSameForEverAndNothingIsDueIsStuckForEver) {
  const RunReport report = run_of<LeftForEverLock>();
  EXPECT_EQ(report.end, RunEnd::repeats);
  EXPECT_EQ(report.letter, Letter::stuck_for_ever);
  EXPECT_EQ(report.true_time, 60s) << "the usual limit is where it ends";
}

TEST(Standstill, AKeyThatExpiresLateLeavesTheRunGoingOnUntilItHas) {
  const RunReport report = run_of<LeftForLongLock>();
  EXPECT_EQ(report.end, RunEnd::finished);
  EXPECT_EQ(report.letter, Letter::stuck_bounded);
  EXPECT_GT(report.longest_wait, 600s);
}

TEST(Standstill, WhoReckonsWithTheTimeOfDayIsNotTakenForStuck) {
  const RunReport report = run_of<ByTheClockLock>();
  EXPECT_EQ(report.end, RunEnd::finished);
}

TEST(Standstill, AStampThatGrowsOldIsNotTheSameAgainAndAgain) {
  const RunReport report = run_of<ByTheStampLock>();
  EXPECT_EQ(report.end, RunEnd::finished);
  EXPECT_GT(report.longest_wait, 600s);
}

TEST(Standstill, WhatIsNeitherIsUndecided) {
  const RunReport report = run_of<LeftForLongLock>(200);
  EXPECT_EQ(report.end, RunEnd::event_limit);
  EXPECT_EQ(report.letter, Letter::undecided);
  EXPECT_GT(report.slowed_by, Duration::zero());
}

TEST(Standstill, ALimitChangesNothingWhereProgressDoesNotCount) {
  Scenario scenario = plain_scenario();
  scenario.properties = {"mutual-exclusion"};
  scenario.time_limit = ScenarioDuration{60s, 0};
  scenario.event_limit = 100'000;
  const LockEntry lock = entry<LeftForLongLock>();
  Simulation simulation;
  const RunReport report = simulation.run({.scenario = &scenario, .lock = &lock, .placement = std::nullopt});
  EXPECT_EQ(report.true_time, 60s);
  EXPECT_EQ(report.told_letter(), Letter::undecided) << "nobody ever held it";
}

TEST(Standstill, ADeadServerOnlyMakesClientsAskInVain) {
  Scenario scenario = plain_scenario();
  scenario.event_limit = 100'000;
  FaultSpec crash = some_fault("crash", "redis");
  crash.lasts.reset();
  crash.at.time = ScenarioDuration{10ms, 0};
  scenario.faults = {crash};
  Simulation simulation;
  const RunReport report =
      simulation.run({.scenario = &scenario, .lock = find_lock("redis-px-cad"), .placement = std::nullopt});
  EXPECT_EQ(report.end, RunEnd::repeats);
  EXPECT_EQ(report.letter, Letter::stuck_for_ever);
}

}  // namespace
}  // namespace holdfast
