// redlock-majority: lock several independent servers in turn; a majority wins.
//
// Origin: 003:L122-125. The lock of one server is SET NX PX (003:L57); its release is the script.
// Idea: no single server, and no failover of one, decides. Without a majority, release everywhere and
// fail.
// Known to get wrong: it never asks how long locking took, so the first keys may have expired when the
// last one is set; a server that does not answer holds it up for the connection's whole timeout; a
// server that restarts empty, or whose clock jumps, votes twice. redlock is the full algorithm.
#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/request_lock.h"
#include "locks/redis/ttl.h"
#include "locks/redis/unlock.h"

namespace holdfast {
namespace {

class RedlockMajority final : public RequestLock {
 public:
  using RequestLock::RequestLock;

  Task<Released> release(Caller& me, LockMode) override {
    return unlock_everywhere(me, settings().key, request_id(me), std::nullopt);
  }

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest request) override {
    std::size_t locked = 0;
    for (std::size_t server = 0; server < me.servers(); ++server) {
      const redis::Answer set =
          co_await redis::client(me, server)
              .command("SET", settings().key, request_id(me), "NX", "PX", ttl_milliseconds(settings().ttl));
      if (set.is_ok()) {
        ++locked;
      }
    }
    if (locked > me.servers() / 2) {
      co_return Acquired::granted();
    }
    if (locked > 0) {
      me.env.mark(Mark::minority_granted);
    }
    co_await release(me, request.mode);
    co_return Acquired::busy("no majority");
  }
};

}  // namespace

std::unique_ptr<Lock> make_redlock_majority(LockSettings settings) {
  return std::make_unique<RedlockMajority>(std::move(settings));
}

}  // namespace holdfast
