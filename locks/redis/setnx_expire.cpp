// redis-setnx-expire: SETNX, then EXPIRE.
//
// Origin: 000:L134 (tryLock, unlock), 004:L15 (stage 1).
// Idea: an expiry frees the lock of a holder that died.
// Known to get wrong: a client that dies between the two commands leaves a lock without expiry
// (004:L25), and so does an EXPIRE that never arrives; DEL asks nobody whose lock it is; a holder that
// outlives its TTL works on beside its successor.
#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/ttl.h"
#include "locks/redis/unlock.h"

namespace holdfast {
namespace {

class SetnxExpire final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;

  Task<Released> release(Caller& me, LockMode) override { return unlock_by_del(me, settings().key); }

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const redis::Answer set = co_await redis::client(me).command("SETNX", settings().key, "1");
    if (set.threw()) {
      co_return Acquired::unknown(set);
    }
    if (!set.is(1)) {
      co_return Acquired::busy();
    }
    const redis::Answer expire =
        co_await redis::client(me).command("EXPIRE", settings().key, ttl_seconds(settings().ttl));
    if (expire.threw()) {
      co_return Acquired::unknown(expire);
    }
    co_return Acquired::granted();  // whatever EXPIRE replied
  }
};

}  // namespace

std::unique_ptr<Lock> make_redis_setnx_expire(LockSettings settings) {
  return std::make_unique<SetnxExpire>(std::move(settings));
}

}  // namespace holdfast
