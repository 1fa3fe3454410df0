// redis-set-ex-no-nx: SET key value EX seconds, as printed, without NX.
//
// Origin: 004:L39 (stage 2, second solution). Release is DEL (004:L45).
// Idea: setting the key and its expiry are one command, so no crash can part them.
// Known to get wrong: without NX the command always overwrites and always says OK, so everybody who
// asks is granted. redis-px-del is the command that was meant.
#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/ttl.h"
#include "locks/redis/unlock.h"

namespace holdfast {
namespace {

class SetExNoNx final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;

  Task<Released> release(Caller& me, LockMode) override { return unlock_by_del(me, settings().key); }

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const redis::Answer set = co_await redis::client(me).command("SET", settings().key, me.env.thread_name(),
                                                                 "EX", ttl_seconds(settings().ttl));
    if (set.threw()) {
      co_return Acquired::unknown(set);
    }
    co_return set.is_ok() ? Acquired::granted() : Acquired::busy();
  }
};

}  // namespace

std::unique_ptr<Lock> make_redis_set_ex_no_nx(LockSettings settings) {
  return std::make_unique<SetExNoNx>(std::move(settings));
}

}  // namespace holdfast
