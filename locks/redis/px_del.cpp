// redis-px-del: SET NX PX, and DEL to release.
//
// Origin: 002:L239 (wrong example 1), 004:L29 (stage 2, with the NX that its printed command lacks;
// redis-set-ex-no-nx is that command).
// Idea: taking the lock and giving it an expiry are one command, so no crash can part them.
// Known to get wrong: DEL asks nobody whose lock it is. A holder that outlives its TTL deletes its
// successor's lock, whose holder is then joined by a third, and so on (004:L43).
#include "locks/redis/designs.h"
#include "locks/redis/px_lock.h"
#include "locks/redis/unlock.h"

namespace holdfast {
namespace {

class PxDel final : public PxLock {
 public:
  using PxLock::PxLock;

  Task<Released> release(Caller& me, LockMode) override { return unlock_by_del(me, settings().key); }
};

}  // namespace

std::unique_ptr<Lock> make_redis_px_del(LockSettings settings) {
  return std::make_unique<PxDel>(std::move(settings));
}

}  // namespace holdfast
