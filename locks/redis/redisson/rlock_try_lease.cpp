// redisson-rlock-try-lease (004:L126): tryLock(10, 30, SECONDS), as it is printed: the RLock of rlock.cpp
// with a lease the caller named, and therefore no watchdog, and with an end to waiting, a third of that
// lease. As in Redisson 4.7.0.
//
// Known to get wrong: work that takes longer than the lease loses the lock with no fault at all, as with
// redisson-rlock-lease. Whoever waited in vain is told so, and must not do the work: a caller that overlooks
// the answer works without a lock.
#include <memory>
#include <utility>

#include "locks/redis/redisson/designs.h"
#include "locks/redis/redisson/rlock.h"

namespace holdfast {
namespace redisson {

namespace {

class RLockTryLease final : public RLock {
 public:
  explicit RLockTryLease(LockSettings lock_settings)
      : RLock(std::move(lock_settings), RLockOptions{.renewal = std::nullopt}) {}

  Task<Acquired> acquire(Caller& me, AcquireRequest request) override {
    if (!request.patience) {
      request.patience = settings().ttl / 3;
    }
    return RLock::acquire(me, request);
  }
};

}  // namespace

}  // namespace redisson

std::unique_ptr<Lock> make_redisson_rlock_try_lease(LockSettings settings) {
  return std::make_unique<redisson::RLockTryLease>(std::move(settings));
}

}  // namespace holdfast
