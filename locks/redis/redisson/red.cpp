// redisson-red (003:L151, and the algorithm of 003:L122): RedissonRedLock, as in Redisson 4.7.0
// (conformance/): the multi-lock of multi.cpp that is content with a majority, and unlocks all servers at
// once. Each lock gets an equal share of the waiting time, and as many may fail as a minority has.
//
// Known to get wrong:
// - It is not the full algorithm: no look at the clock after the last lock. If collecting the majority
//   takes longer than a lease whose renewals did not get through, the first are gone when it returns.
// - A server that restarts empty, or whose clock jumps, gives its vote twice.
// - Unlocking ignores every answer: a caller that holds nothing is told that it released.
// - Re-entry is counted per server. A second lock() may be granted by another majority; the first unlock
//   then leaves fewer than a majority held.
// - Callers that share the servers out among them wait for each other in step, with no random pause.
#include <algorithm>
#include <memory>
#include <utility>

#include "locks/redis/redisson/designs.h"
#include "locks/redis/redisson/multi.h"

namespace holdfast {
namespace redisson {

namespace {

class RedLock : public MultiLock {
 public:
  using MultiLock::MultiLock;

  Task<Released> release(Caller& me, LockMode /*mode*/) override {
    co_await unlock_all(me);
    co_return Released::done();
  }

 protected:
  std::size_t failed_locks_limit() const override {
    const std::size_t majority = lock_count() / 2 + 1;
    return lock_count() - majority;
  }
  Duration lock_wait_time(Duration wait) const override {
    return std::max<Duration>(wait / static_cast<std::int64_t>(lock_count()), 1ms);
  }
};

}  // namespace

}  // namespace redisson

std::unique_ptr<Lock> make_redisson_red(LockSettings settings) {
  return std::make_unique<redisson::RedLock>(std::move(settings));
}

}  // namespace holdfast
