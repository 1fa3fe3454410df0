#include "locks/redis/px_lock.h"

#include "locks/redis/client.h"
#include "locks/redis/ttl.h"

namespace holdfast {

Task<Acquired> PxLock::try_once(Caller& me, AcquireRequest) {
  const redis::Answer set = co_await redis::client(me).command("SET", settings().key, request_id(me), "NX",
                                                               "PX", ttl_milliseconds(settings().ttl));
  if (set.threw()) {
    co_return Acquired::unknown(set);
  }
  co_return set.is_ok() ? Acquired::granted() : Acquired::busy();
}

}  // namespace holdfast
