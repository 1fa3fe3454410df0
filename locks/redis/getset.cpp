// redis-getset: the key holds the time at which it expires; who finds it expired swaps in its own.
//
// Origin: 000:L159 and 000:L163. Times are in milliseconds, as 000:L239 advises.
// Idea: SETNX lock expiry. On 0, GET the expiry T1; if it has passed, GETSET lock my-expiry returns T2;
// the lock is mine if T1 = T2, else another was faster. DEL releases (000:L130).
// A GET that returns null (the holder released in between) counts as expired and goes on to GETSET:
// the scenario at 000:L166 needs that, and its two comparisons.
// Known to get wrong: when GETSET returns null it has taken the lock and says it has not, so nobody
// holds it until that stamp expires (000:L168); a GETSET that loses has overwritten the winner's expiry
// (000:L160); clients' clocks are compared with each other; DEL asks nobody whose lock it is.
#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/unlock.h"

namespace holdfast {
namespace {

class Getset final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;

  Task<Released> release(Caller& me, LockMode) override { return unlock_by_del(me, settings().key); }

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const std::int64_t now_ms = me.env.wall_ms();
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
};

}  // namespace

std::unique_ptr<Lock> make_redis_getset(LockSettings settings) {
  return std::make_unique<Getset>(std::move(settings));
}

}  // namespace holdfast
