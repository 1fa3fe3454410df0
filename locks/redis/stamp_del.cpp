// redis-stamp-del: the key holds the time it was taken; who finds it too old deletes it.
//
// Origin: 000:L149, which describes it to show the race at 000:L152. Times are in milliseconds, as
// 000:L239 advises.
// Idea: SETNX lock now. On 0, GET the stamp; if it is older than the TTL the holder must be dead: DEL,
// and SETNX again. DEL releases (000:L130).
// Known to get wrong: two clients that both saw the old stamp both DEL and both SETNX, the second
// deleting the first's lock; clients' clocks are compared with each other; a slow holder is taken for a
// dead one; DEL asks nobody whose lock it is.
#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/unlock.h"

namespace holdfast {
namespace {

class StampDel final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;

  Task<Released> release(Caller& me, LockMode) override { return unlock_by_del(me, settings().key); }

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const redis::Answer set = co_await redis::client(me).command("SETNX", settings().key, me.env.wall_ms());
    if (set.threw()) {
      co_return Acquired::unknown(set);
    }
    if (set.is(1)) {
      co_return Acquired::granted();
    }

    const redis::Answer stamp = co_await redis::client(me).command("GET", settings().key);
    if (stamp.threw()) {
      co_return Acquired::unknown(stamp);
    }
    if (stamp.is_nil()) {
      co_return Acquired::busy("released in between");
    }
    const std::int64_t age_ms = me.env.wall_ms() - std::stoll(stamp.reply.text);
    if (age_ms <= to_milliseconds(settings().ttl)) {
      co_return Acquired::busy();
    }
    me.env.mark(Mark::lease_ran_out);

    // "Simply and crudely" (000:L150): the stamp just read may no longer be the one that DEL removes.
    const redis::Answer deleted = co_await redis::client(me).command("DEL", settings().key);
    if (deleted.threw()) {
      co_return Acquired::unknown(deleted);
    }
    const redis::Answer set_again =
        co_await redis::client(me).command("SETNX", settings().key, me.env.wall_ms());
    if (set_again.threw()) {
      co_return Acquired::unknown(set_again);
    }
    co_return set_again.is(1) ? Acquired::granted() : Acquired::busy();
  }
};

}  // namespace

std::unique_ptr<Lock> make_redis_stamp_del(LockSettings settings) {
  return std::make_unique<StampDel>(std::move(settings));
}

}  // namespace holdfast
