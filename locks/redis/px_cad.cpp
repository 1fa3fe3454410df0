// redis-px-cad: SET NX PX with a value of one's own; a script compares and deletes.
// redis-px-cad-integer: the same, run by Spring with Integer.class as the type of what the script answers.
//
// Origin: 002:L151 and 002:L213, 003:L57, 004:L73 (stage 4); for -integer 003:L103.
// Idea: comparing and deleting are one step on the server.
// Known to get wrong: a holder that outlives its TTL works on beside its successor; a failover to a
// replica that did not get the SET grants the lock twice (003:L118). With -integer every release that is
// carried out is an exception: of Redis's numbers Spring makes a Long and nothing else, and for any other
// type Lettuce, its usual driver, has no place to put a number ("ValueOutput does not support set(long)";
// seen with Spring Data Redis 2.7.18 and Lettuce 6.1.10. Jedis answers a Long that is called an Integer.) The
// lock is free all the same.
#include "locks/redis/designs.h"
#include "locks/redis/px_lock.h"
#include "locks/redis/unlock.h"

namespace holdfast {
namespace {

class PxCad final : public PxLock {
 public:
  using PxLock::PxLock;

  Task<Released> release(Caller& me, LockMode) override {
    return unlock_by_compare_and_delete(me, settings().key, request_id(me));
  }
};

class PxCadInteger final : public PxLock {
 public:
  using PxLock::PxLock;

  Task<Released> release(Caller& me, LockMode) override {
    Released released = co_await unlock_by_compare_and_delete(me, settings().key, request_id(me));
    if (released.outcome != Released::Outcome::unknown) {
      released = {Released::Outcome::unknown, "the answer is a number, and was asked for as an Integer",
                  true};
    }
    co_return released;
  }
};

}  // namespace

std::unique_ptr<Lock> make_redis_px_cad_integer(LockSettings settings) {
  return std::make_unique<PxCadInteger>(std::move(settings));
}

std::unique_ptr<Lock> make_redis_px_cad(LockSettings settings) {
  return std::make_unique<PxCad>(std::move(settings));
}

}  // namespace holdfast
