// redis-px-cad: SET NX PX with a value of one's own; a script compares and deletes.
//
// Origin: 002:L151 and 002:L213, 003:L57, 004:L73 (stage 4).
// Idea: comparing and deleting are one step on the server.
// Known to get wrong: a holder that outlives its TTL works on beside its successor; a failover to a
// replica that did not get the SET grants the lock twice (003:L118).
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

}  // namespace

std::unique_ptr<Lock> make_redis_px_cad(LockSettings settings) {
  return std::make_unique<PxCad>(std::move(settings));
}

}  // namespace holdfast
