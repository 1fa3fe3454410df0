// RedissonMultiLock: several RLocks, each on a server of its own, taken as one (see multi.cpp).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "locks/lock.h"
#include "locks/redis/redisson/rlock.h"

namespace holdfast::redisson {

class MultiLock : public Lock {
 public:
  using Lock::Lock;
  Task<Acquired> acquire(Caller& me, AcquireRequest request) override;
  Task<Released> release(Caller& me, LockMode mode) override;

 protected:
  // Of the locks of all servers, how many need not be got.
  virtual std::size_t failed_locks_limit() const { return 0; }
  // How long to wait for one lock when all together may take `wait`.
  virtual Duration lock_wait_time(Duration wait) const { return wait; }

  std::size_t lock_count() const { return locks_.size(); }
  Task<std::vector<Released>> unlock_all(Caller& me);

 private:
  void make_locks(const Caller& me);
  // Without `wait`, one attempt at each.
  Task<bool> try_lock(Caller& me, std::optional<Duration> wait);
  // At the same time on each server; returns when all have answered.
  static Task<std::vector<Released>> unlock(Caller& me, std::vector<RLock*> locks);

  std::vector<std::unique_ptr<RLock>> locks_;  // one per server, in the order they are taken
};

}  // namespace holdfast::redisson
