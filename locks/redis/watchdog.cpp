// redis-watchdog: redis-hash-reentrant with a timer that renews the expiry while the lock is held.
//
// Origin: 003:L89-97 (the renewal script, as printed), 004:L87 (stage 5, a daemon thread), 004:L113 (at a
// third of the expiry).
// Idea: the expiry may be short, because a holder that lives keeps it from passing.
// What no source prints, decided here: a release that the server answered stops the timer; a renewal
// without an answer is tried again at the next third; each grant starts the timer anew, as it does the
// expiry. EXPIRE knows whole seconds, so a TTL that is not is rounded up; the third is of the TTL itself.
// Known to get wrong: a process that is paused or cut off for longer than the TTL is not renewed and
// works on beside its successor. The timer renews for the process, not for the work: a thread that dies
// or hangs, or whose unlock never arrives, keeps the lock for as long as its process lives.
#include "locks/redis/watchdog.h"

#include "locks/redis/client.h"

#include "locks/redis/designs.h"
#include "locks/redis/ttl.h"

namespace holdfast {

void Watchdog::on_granted(Caller& me) {
  const std::uint64_t timer = ++timers_started_;
  timer_of_[me.env.thread()] = timer;
  me.env.spawn(keep_renewing(me, timer));
}

// The holder is taken by value: the thread's own Caller may be gone before the timer is.
Task<> Watchdog::keep_renewing(Caller holder, std::uint64_t timer) {
  while (true) {
    co_await holder.env.sleep(renewal_interval());
    if (!is_current(holder, timer)) {
      co_return;
    }
    const redis::Answer renewed =
        co_await redis::client(holder).command("EVAL", watchdog_renew_script, 1, settings().key,
                                               holder.env.thread_name(), ttl_seconds(settings().ttl));
    holder.env.mark(renewed.is(1) ? Mark::renewed : Mark::renewal_too_late);
    if (renewed.is(0)) {
      co_return;  // no longer held: nothing to renew
    }
  }
}

bool Watchdog::is_current(const Caller& holder, std::uint64_t timer) const {
  const auto found = timer_of_.find(holder.env.thread());
  return found != timer_of_.end() && found->second == timer;
}

std::unique_ptr<Lock> make_redis_watchdog(LockSettings settings) {
  return std::make_unique<Watchdog>(std::move(settings));
}

}  // namespace holdfast
