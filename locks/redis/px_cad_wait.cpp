// redis-px-cad-wait: redis-px-cad that believes in its lock only once replicas have it.
//
// Origin: beyond the sources; it answers 003:L118 (a failover before replication grants twice).
// Idea: after the SET, WAIT until settings.wait_replicas replicas (at least one) acknowledged it. If
// too few did in time, release and fail.
// Known to get wrong: WAIT does not make Redis consistent. A failover may promote a replica that is not
// among those that acknowledged; and a failed attempt may leave its value on a replica, where it blocks
// everyone for a TTL if that replica is promoted. Waiting uses up the lease. The rest is as
// redis-px-cad.
#include <algorithm>

#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/px_lock.h"
#include "locks/redis/unlock.h"

namespace holdfast {
namespace {

// How long the server waits for its replicas, and how much longer the client waits for the server.
constexpr Duration replicas_timeout = 1s;
constexpr Duration reply_margin = 1s;

class PxCadWait final : public PxLock {
 public:
  using PxLock::PxLock;

  Task<Released> release(Caller& me, LockMode) override {
    return unlock_by_compare_and_delete(me, settings().key, request_id(me));
  }

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest request) override {
    Acquired set = co_await PxLock::try_once(me, request);
    if (!set.ok()) {
      co_return set;
    }
    const std::int64_t replicas = std::max<std::int64_t>(1, settings().wait_replicas);
    const redis::Answer acknowledged = co_await redis::client(me).execute_within(
        redis::make_command("WAIT", replicas, to_milliseconds(replicas_timeout)),
        replicas_timeout + reply_margin);
    if (!acknowledged.threw() && acknowledged.reply.number >= replicas) {
      co_return Acquired::granted();
    }
    me.env.mark(Mark::replicas_too_slow);
    const Released undone = co_await release(me, request.mode);
    if (undone.outcome == Released::Outcome::unknown) {
      co_return Acquired::unknown("too few replicas acknowledged, then: " + undone.problem);
    }
    co_return Acquired::busy("too few replicas acknowledged");
  }
};

}  // namespace

std::unique_ptr<Lock> make_redis_px_cad_wait(LockSettings settings) {
  return std::make_unique<PxCadWait>(std::move(settings));
}

}  // namespace holdfast
