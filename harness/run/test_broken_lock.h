// For tests: locks that meet a bug of holdfast's in the midst of a run.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "harness/kernel/require.h"
#include "harness/run/simulation.h"
#include "locks/lookup/lookup.h"

namespace holdfast {

// Asks for one of no things.
class BrokenLock final : public Lock {
 public:
  using Lock::Lock;
  Task<Acquired> acquire(Caller& me, AcquireRequest) override {
    me.env.random(0);
    co_return Acquired::granted();
  }
  Task<Released> release(Caller&, LockMode) override { co_return Released::done(); }
};

// Only in runs in which it is paused between two steps.
class SometimesBrokenLock final : public Lock {
 public:
  using Lock::Lock;
  Task<Acquired> acquire(Caller& me, AcquireRequest) override {
    const Duration before = me.env.monotonic();
    co_await me.env.point("asking");
    require(me.env.monotonic() == before, "nobody is paused here");
    co_return Acquired::granted();
  }
  Task<Released> release(Caller&, LockMode) override { co_return Released::done(); }
};

template <class OneOfThem>
LockEntry broken_lock(std::string_view id = "broken-lock") {
  LockEntry entry = *find_lock("redis-px-cad");
  entry.id = id;
  entry.make = [](LockSettings settings) -> std::unique_ptr<Lock> {
    return std::make_unique<OneOfThem>(std::move(settings));
  };
  return entry;
}

// What the work says of the bug that it meets.
template <class Work>
std::string broken_by(const Work& work) {
  try {
    work();
  } catch (const BrokenInvariant& broken) {
    return broken.what();
  }
  return "nothing was broken";
}

// Around the work: what was typed.
class TypedInTest final : public Replay {
 public:
  explicit TypedInTest(std::string command) : command_(std::move(command)) {}
  std::string command() const override { return command_; }

 private:
  std::string command_;
};

}  // namespace holdfast
