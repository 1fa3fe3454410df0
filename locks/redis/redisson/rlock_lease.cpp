// redisson-rlock-lease (004:L123): lock(leaseTime), the RLock of rlock.cpp with a lease the caller named, and
// therefore no watchdog. As in Redisson 4.7.0 (conformance/). The example printed there, which also ends
// waiting, is redisson-rlock-try-lease.
//
// Known to get wrong: work that takes longer than the lease loses the lock with no fault at all, and its
// unlock is refused. A re-entry sets the lease back to full, and so does an unlock that leaves a hold.
#include <memory>
#include <utility>

#include "locks/redis/redisson/designs.h"
#include "locks/redis/redisson/rlock.h"

namespace holdfast {

std::unique_ptr<Lock> make_redisson_rlock_lease(LockSettings settings) {
  return std::make_unique<redisson::RLock>(std::move(settings),
                                           redisson::RLockOptions{.renewal = std::nullopt});
}

}  // namespace holdfast
