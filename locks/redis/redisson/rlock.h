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
#include "locks/redis/redisson/synced.h"

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
  virtual Task<Synced> try_lock(Caller& me, AcquireRequest request);
  virtual Attempt read_attempt(const redis::Answer& answer) const;
  // Answers 1 if free now, 0 if still held by me, nil if it is not mine.
  virtual Task<Synced> unlock(Caller& me);
  void cancel_renewal(std::uint32_t thread) { renewal_.cancel(thread); }
  // Whether a grant that no replica has is given back and asked for again, or left as it is.
  virtual bool undoes_what_no_replica_has() const { return true; }
  Task<redis::Answer> renew(Caller& me, std::vector<std::uint32_t> threads) override;
  std::string channel(Caller& me) const override;

  Task<Attempt> attempt(Caller& me, AcquireRequest request) override;
  redis::Client& connection(Caller& me) const override { return redis::client(me, options_.server); }
  template <typename... Words>
  Task<Synced> evaluate(Caller& me, const Words&... words) const {
    return evaluate_synced(connection(me), redis::make_command("EVAL", words...));
  }
  std::int64_t lease_ms() const { return to_milliseconds(settings().ttl); }
  // The hash field under which a thread of my process holds.
  virtual std::string field(const Caller& me, std::uint32_t thread) const;
  std::string my_field(const Caller& me) const { return field(me, me.env.thread()); }

 private:
  RLockOptions options_;
  Renewal renewal_;
};

}  // namespace holdfast::redisson
