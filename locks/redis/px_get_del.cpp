// redis-px-get-del: SET NX PX with a value of one's own; GET, compare, DEL to release.
//
// Origin: 002:L248 (wrong example 2), 004:L51 (stage 3).
// Idea: only who finds its own value in the key deletes it.
// Known to get wrong: the lock can expire and pass to another between GET and DEL, and then the DEL
// removes the other's lock (002:L252, 004:L63).
#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/px_lock.h"
#include "locks/redis/unlock.h"

namespace holdfast {
namespace {

class PxGetDel final : public PxLock {
 public:
  using PxLock::PxLock;

  Task<Released> release(Caller& me, LockMode) override {
    const redis::Answer value = co_await redis::client(me).command("GET", settings().key);
    if (value.threw()) {
      co_return Released::unknown(value);
    }
    if (!value.is(request_id(me))) {
      co_return Released::refused("the key does not hold my value");
    }
    // If the lock is suddenly no longer this client's, what follows releases another's (002:L252).
    Released deleted = co_await unlock_by_del(me, settings().key);
    co_return deleted;
  }
};

}  // namespace

std::unique_ptr<Lock> make_redis_px_get_del(LockSettings settings) {
  return std::make_unique<PxGetDel>(std::move(settings));
}

}  // namespace holdfast
