// redis-hash-reentrant: a hash of one field, the holder, whose value counts how often it entered.
//
// Origin: 003:L63-86. The field is process and thread, "c1:1".
// Idea: a script takes the lock if the key does not exist, re-enters if the field does, counts up and
// sets the expiry anew; another counts down and deletes the key at zero.
// Known to get wrong: a holder that outlives its TTL works on beside its successor; unlocking one level
// does not set the expiry anew; a failover may lose the key (003:L118).
// Also here, redis-hash-reentrant-literal: the lock script as printed, which says ARG where ARGV is
// meant. ARG is an undefined global, so every acquire is an error.
#pragma once

#include <string_view>

#include "locks/lock.h"

namespace holdfast {

// What redis-watchdog adds a timer to.
class HashReentrantLock : public SpinningLock {
 public:
  explicit HashReentrantLock(LockSettings settings);
  HashReentrantLock(LockSettings settings, std::string_view lock_script);

  Task<Released> release(Caller& me, LockMode mode) override;

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest request) override;

  // Entered, for the first time or again.
  virtual void on_granted(Caller&) {}
  // The last level was released, or the server said that the caller does not hold the lock.
  virtual void on_gone(Caller&) {}

 private:
  std::string_view lock_script_;
};

}  // namespace holdfast
