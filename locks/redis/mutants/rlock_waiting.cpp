// Mutants of redisson-rlock that wait wrongly.
//
// mutant-rlock-subscribes-late: subscribes after the last look at the lock, and sleeps without another one.
// The
//   classic lost wake-up. Shows when the lock is released between the look and the subscription.
// mutant-rlock-message-only: sleeps until a message comes, however long the lease still runs. Shows when the
//   holder dies, which sends none.
#include <algorithm>
#include <chrono>

#include "locks/redis/mutants/designs.h"
#include "locks/redis/redisson/rlock.h"

namespace holdfast::mutants {
namespace {

class SubscribesLate final : public redisson::RLock {
 public:
  explicit SubscribesLate(LockSettings lock_settings) : RLock(std::move(lock_settings)) {}

  // The workloads wait without a limit, so patience is left out.
  Task<Acquired> acquire(Caller& me, AcquireRequest request) override {
    while (true) {
      const redisson::Attempt tried = co_await attempt(me, request);
      if (!tried.is_busy()) {
        co_return tried.result();
      }
      redis::Mailbox mailbox(me.env, connection(me));
      const redis::Answer subscribed = co_await connection(me).subscribe(channel(me), mailbox);
      if (subscribed.threw()) {
        co_return Acquired::unknown(subscribed);
      }
      const Duration lease_left = std::chrono::milliseconds(std::max<std::int64_t>(0, tried.ttl_ms));
      co_await mailbox.arrival(me.env.monotonic() + lease_left);
      co_await connection(me).unsubscribe(channel(me), mailbox);
    }
  }
};

std::unique_ptr<Lock> make_subscribes_late(LockSettings settings) {
  return std::make_unique<SubscribesLate>(std::move(settings));
}

class MessageOnly final : public redisson::RLock {
 public:
  explicit MessageOnly(LockSettings lock_settings) : RLock(std::move(lock_settings)) {}

 protected:
  redisson::Attempt read_attempt(const redis::Answer& answer) const override {
    return answer.is_nil() ? redisson::Attempt::granted() : redisson::Attempt::busy();
  }
};

std::unique_ptr<Lock> make_message_only(LockSettings settings) {
  return std::make_unique<MessageOnly>(std::move(settings));
}

}  // namespace

std::vector<MutantEntry> rlock_waiting() {
  MutantScope nobody_dies;
  nobody_dies.menu = {pause_for(100), delay_by({400ms, 0})};
  nobody_dies.entitled = Letter::safe;
  MutantScope holder_dies;
  holder_dies.menu = {pause_for(100), crash(), crash_and_restart(), lost_reply()};
  return {
      make_entry("mutant-rlock-subscribes-late", "redisson-rlock",
                 "subscribes after its last look at the lock", make_subscribes_late, nobody_dies),
      make_entry("mutant-rlock-message-only", "redisson-rlock",
                 "waits for a message only, not for the lease to end", make_message_only, holder_dies),
  };
}

}  // namespace holdfast::mutants
