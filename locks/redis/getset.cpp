// redis-getset: the key holds the time at which it expires; who finds it expired swaps in its own.
// redis-getset-seconds: the same with times in whole seconds.
//
// Origin: 000:L159 and 000:L163. Times are in milliseconds, as 000:L239 advises; in whole seconds they are
// what 000:L238 warns of: all of locking, working and unlocking fits into one. Idea: SETNX lock expiry. On 0,
// GET the expiry T1; if it has passed, GETSET lock my-expiry returns T2; the lock is mine if T1 = T2, else
// another was faster. DEL releases (000:L130). A GET that returns null (the holder released in between)
// counts as expired and goes on to GETSET: the scenario at 000:L166 needs that, and its two comparisons.
// Known to get wrong: when GETSET returns null it has taken the lock and says it has not, so nobody
// holds it until that stamp expires (000:L168); a GETSET that loses has overwritten the winner's expiry
// (000:L160); clients' clocks are compared with each other; DEL asks nobody whose lock it is. In whole
// seconds a lock also outlives its lease by up to a second. The race that 000:L239 fears from them is the one
// at 000:L152, of those who delete: here a stamp that is compared has run out, and one that was set just now
// has not, so no two are equal by their precision alone, and the letters are those of redis-getset.
#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/unlock.h"

namespace holdfast {
namespace {

class Getset final : public SpinningLock {
 public:
  // Stamps are whole multiples of `precision_ms`.
  Getset(LockSettings settings, std::int64_t precision_ms)
      : SpinningLock(std::move(settings)), precision_ms_(precision_ms) {}

  Task<Released> release(Caller& me, LockMode) override { return unlock_by_del(me, settings().key); }

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const std::int64_t now_ms = me.env.wall_ms() / precision_ms_ * precision_ms_;
    const std::int64_t expiry_ms = now_ms + to_milliseconds(settings().ttl);
    const redis::Answer set = co_await redis::client(me).command("SETNX", settings().key, expiry_ms);
    if (set.threw()) {
      co_return Acquired::unknown(set);
    }
    if (set.is(1)) {
      co_return Acquired::granted();
    }

    const redis::Answer t1 = co_await redis::client(me).command("GET", settings().key);
    if (t1.threw()) {
      co_return Acquired::unknown(t1);
    }
    const bool expired = t1.is_nil() || std::stoll(t1.reply.text) < now_ms;
    if (!expired) {
      co_return Acquired::busy();
    }
    if (!t1.is_nil()) {
      me.env.mark(Mark::lease_ran_out);
    }

    const redis::Answer t2 = co_await redis::client(me).command("GETSET", settings().key, expiry_ms);
    if (t2.threw()) {
      co_return Acquired::unknown(t2);
    }
    // Nothing but this comparison (000:L170): null equals null, and differs from every time.
    co_return t1.reply == t2.reply ? Acquired::granted() : Acquired::busy("another was faster");
  }

 private:
  std::int64_t precision_ms_;
};

}  // namespace

std::unique_ptr<Lock> make_redis_getset(LockSettings settings) {
  return std::make_unique<Getset>(std::move(settings), 1);
}

std::unique_ptr<Lock> make_redis_getset_seconds(LockSettings settings) {
  return std::make_unique<Getset>(std::move(settings), 1000);
}

}  // namespace holdfast
