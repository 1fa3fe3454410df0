// RLock: the re-entrant lock that most of Redisson's other locks are made of (see rlock.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "locks/lock.h"
#include "locks/redis/client.h"
#include "locks/redis/redisson/contended.h"
#include "locks/redis/redisson/renewal.h"

namespace holdfast::redisson {

struct RLockOptions {
  std::size_t server = 0;  // the one it lives on
  // What keeps the lease from running out; nothing does if the caller named a lease of its own.
  std::optional<RenewalStyle> renewal = RenewalStyle::current;
  RenewalScope renewal_scope = RenewalScope::first_thread;
};

class RLock : public Lock, protected Contended, protected Renewable {
 public:
  explicit RLock(LockSettings settings, RLockOptions options = {});

  Task<Acquired> acquire(Caller& me, AcquireRequest request) override;
  Task<Released> release(Caller& me, LockMode mode) override;

 protected:
  // The steps in which one kind of lock differs from another.
  // Answers nil if granted, else how many milliseconds the holder's lease has left.
  virtual Task<redis::Answer> try_lock(Caller& me, AcquireRequest request);
  virtual Attempt read_attempt(const redis::Answer& answer) const;
  // Answers 1 if free now, 0 if still held by me, nil if it is not mine.
  virtual Task<redis::Answer> unlock(Caller& me);
  Task<redis::Answer> renew(Caller& me, std::vector<std::uint32_t> threads) override;
  std::string channel(Caller& me) const override;

  Task<Attempt> attempt(Caller& me, AcquireRequest request) override;
  redis::Client& connection(Caller& me) const override { return redis::client(me, options_.server); }
  std::int64_t lease_ms() const { return to_milliseconds(settings().ttl); }
  // The hash field under which a thread of my process holds.
  virtual std::string field(const Caller& me, std::uint32_t thread) const;
  std::string my_field(const Caller& me) const { return field(me, me.env.thread()); }

 private:
  RLockOptions options_;
  Renewal renewal_;
};

}  // namespace holdfast::redisson
