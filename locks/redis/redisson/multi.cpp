// redisson-multi (003:L149–150): getMultiLock over RLocks of independent servers; all must be got. As in
// Redisson 4.7.0 (conformance/).
//
// The locks are taken in order, each with its own watchdog. The first that cannot be got in time makes
// the caller give back what it has and start again, until its waiting time is over (lock() asks again and
// again with 1.5 s for each lock). An exception of one server counts as "not got"; since the lock may have
// been granted all the same, it is unlocked first. unlock() unlocks one after the other, and an exception
// ends it.
//
// Known to get wrong:
// - One server that is down, and nobody gets the lock: it is less available than one server alone.
// - Every way in which one RLock loses its lock without telling.
// - unlock() stops at the first server that throws, be it for a lost reply or because that one had forgotten
// the lock:
//   those after it stay locked, and their watchdogs keep them so for as long as the process lives.
// - What is unlocked after an exception may have been a re-entry that never happened: one hold too few.
// - It always starts from the first lock again, at once: waiting callers ask in a tight loop while a
//   server refuses connections.
//
// Deviation: any exception makes it unlock the lock in doubt; Redisson does so for a lost reply only.
#include "locks/redis/redisson/multi.h"

#include <algorithm>
#include <utility>

#include "locks/redis/redisson/contended.h"
#include "locks/redis/redisson/designs.h"

namespace holdfast {
namespace redisson {

namespace {

// What lock() allows for each of its locks in one round.
constexpr Duration base_wait_per_lock = 1500ms;

// Shared with the tasks that unlock, which may outlive the thread that asked for it.
struct Unlocking {
  Unlocking(const Env& env, std::size_t count) : done(env.make_semaphore(0)), results(count) {}
  Semaphore done;
  std::vector<Released> results;
};

Task<> unlock_one(Caller& me, RLock& lock, std::shared_ptr<Unlocking> unlocking, std::size_t index) {
  unlocking->results[index] = co_await lock.release(me, LockMode::exclusive);
  unlocking->done.release();
}

}  // namespace

Task<Acquired> MultiLock::acquire(Caller& me, AcquireRequest request) {
  make_locks(me);
  if (request.patience) {
    std::optional<Duration> wait = request.patience;
    if (*wait <= Duration::zero()) {
      wait = std::nullopt;
    }
    const bool locked = co_await try_lock(me, wait);
    co_return locked ? Acquired::granted() : Acquired::busy("not got on enough servers");
  }
  const Duration wait = base_wait_per_lock * static_cast<std::int64_t>(locks_.size());
  bool locked = false;
  while (!locked) {
    locked = co_await try_lock(me, wait);
  }
  co_return Acquired::granted();
}

Task<bool> MultiLock::try_lock(Caller& me, std::optional<Duration> wait) {
  const Countdown remaining(me.env, wait);
  std::size_t failures_left = failed_locks_limit();
  std::vector<RLock*> acquired;
  std::size_t next = 0;
  while (next < locks_.size()) {
    RLock& lock = *locks_[next++];
    AcquireRequest request{.patience = Duration::zero()};
    if (wait) {
      request.patience = std::min(lock_wait_time(*wait), remaining.left());
    }
    const Acquired attempt = co_await lock.acquire(me, request);
    if (attempt.outcome == Acquired::Outcome::unknown) {
      std::vector<RLock*> in_doubt(1, &lock);
      co_await unlock(me, std::move(in_doubt));
    }

    if (attempt.ok()) {
      acquired.push_back(&lock);
    } else {
      if (locks_.size() - acquired.size() == failed_locks_limit()) {
        break;  // enough, and this one need not be had
      }
      if (failures_left == 0) {
        if (!acquired.empty()) {
          me.env.mark(Mark::minority_granted);
        }
        co_await unlock(me, std::move(acquired));
        if (!wait) {
          co_return false;
        }
        failures_left = failed_locks_limit();
        acquired.clear();
        next = 0;
      } else {
        --failures_left;
      }
    }

    if (remaining.over()) {
      co_await unlock(me, std::move(acquired));
      co_return false;
    }
  }
  co_return true;
}

Task<Released> MultiLock::release(Caller& me, LockMode mode) {
  make_locks(me);
  for (const auto& lock : locks_) {
    Released released = co_await lock->release(me, mode);
    if (!released.ok()) {
      co_return released;
    }
  }
  co_return Released::done();
}

Task<std::vector<Released>> MultiLock::unlock_all(Caller& me) {
  make_locks(me);
  std::vector<RLock*> all;
  all.reserve(locks_.size());
  for (const auto& lock : locks_) {
    all.push_back(lock.get());
  }
  return unlock(me, std::move(all));
}

Task<std::vector<Released>> MultiLock::unlock(Caller& me, std::vector<RLock*> locks) {
  const auto unlocking = std::make_shared<Unlocking>(me.env, locks.size());
  for (std::size_t index = 0; index < locks.size(); ++index) {
    me.env.spawn(unlock_one(me, *locks[index], unlocking, index));
  }
  for (std::size_t answered = 0; answered < locks.size(); ++answered) {
    co_await unlocking->done.acquire();
  }
  co_return unlocking->results;
}

void MultiLock::make_locks(const Caller& me) {
  for (std::size_t server = locks_.size(); server < me.servers(); ++server) {
    locks_.push_back(std::make_unique<RLock>(settings(), RLockOptions{.server = server}));
  }
}

}  // namespace redisson

std::unique_ptr<Lock> make_redisson_multi(LockSettings settings) {
  return std::make_unique<redisson::MultiLock>(std::move(settings));
}

}  // namespace holdfast
