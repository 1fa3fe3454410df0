// redis-setnx: the simplest one.
//
// Origin: 000:L129.
// Idea: SETNX lock; 1 means it is mine, 0 means another has it and I ask again. DEL lock releases.
// Known to get wrong: without an expiry a holder that dies keeps the lock for ever (000:L148); DEL asks
// nobody whose lock it is; a thread that locks twice waits for itself.
#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/unlock.h"

namespace holdfast {
namespace {

class Setnx final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;

  Task<Released> release(Caller& me, LockMode) override { return unlock_by_del(me, settings().key); }

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const redis::Answer set = co_await redis::client(me).command("SETNX", settings().key, "1");
    if (set.threw()) {
      co_return Acquired::unknown(set);
    }
    co_return set.is(1) ? Acquired::granted() : Acquired::busy();
  }
};

}  // namespace

std::unique_ptr<Lock> make_redis_setnx(LockSettings settings) {
  return std::make_unique<Setnx>(std::move(settings));
}

}  // namespace holdfast
