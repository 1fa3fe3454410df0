// redis-setex: SETEX taken for "set if not exists, with an expiry".
//
// Origin: 002:L102, which says both that SETEX sets only a key that does not exist and that it
// overwrites one that does. Release is DEL.
// Idea: one atomic command instead of SETNX and EXPIRE (002:L103).
// Known to get wrong: SETEX always overwrites and always says OK, so everybody who asks is granted.
#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/ttl.h"
#include "locks/redis/unlock.h"

namespace holdfast {
namespace {

class Setex final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;

  Task<Released> release(Caller& me, LockMode) override { return unlock_by_del(me, settings().key); }

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const redis::Answer set = co_await redis::client(me).command(
        "SETEX", settings().key, ttl_seconds(settings().ttl), me.env.thread_name());
    if (set.threw()) {
      co_return Acquired::unknown(set);
    }
    co_return set.is_ok() ? Acquired::granted() : Acquired::busy();
  }
};

}  // namespace

std::unique_ptr<Lock> make_redis_setex(LockSettings settings) {
  return std::make_unique<Setex>(std::move(settings));
}

}  // namespace holdfast
