// redis-getset-null: redis-getset, where a GETSET that returns null also wins, and an expiry.
//
// Origin: 000:L177-233, line by line. The release is not printed; DEL, as at 000:L130. Deviations: the
// stamp is decimal text instead of longToBytes; maxTryCount is a time, settings.patience; the sleep
// between two tries has a random part.
// Idea: a null from GETSET means that the holder released in between, so the lock is mine. One second
// of slack in the stamp is to absorb clock skew (000:L185).
// Known to get wrong: expire(key, expireTime) is given a time in milliseconds since 1970 where a number
// of seconds is due, so the key expires in some fifty thousand years and only the stamp, compared across
// clients' clocks, frees it; a GETSET that loses has overwritten the winner's expiry; a slow holder is
// taken for a dead one, and its DEL, which asks nobody whose lock it is, removes its successor's.
#include <algorithm>

#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/ttl.h"
#include "locks/redis/unlock.h"

namespace holdfast {
namespace {

class GetsetNull final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;

  Task<Acquired> acquire(Caller& me, AcquireRequest request) override {
    // if (++retryTime > maxTryCount) return response;
    request.patience = std::min(request.patience.value_or(settings().patience), settings().patience);
    return SpinningLock::acquire(me, request);
  }

  Task<Released> release(Caller& me, LockMode) override { return unlock_by_del(me, settings().key); }

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const std::int64_t now_time = me.env.wall_ms();
    // Tolerates clocks that differ by up to a second between servers (000:L185).
    const std::int64_t expire_time = now_time + ttl_seconds(settings().ttl) * 1000 + 1000;
    const std::string& key = settings().key;
    const redis::Answer set = co_await redis::client(me).command("SETNX", key, expire_time);
    if (set.threw()) {
      co_return Acquired::unknown(set);
    }
    if (set.is(1)) {
      Acquired won = co_await expire_and_win(me, expire_time);
      co_return won;
    }

    const redis::Answer old_expire_time = co_await redis::client(me).command("GET", key);
    if (old_expire_time.threw()) {
      co_return Acquired::unknown(old_expire_time);
    }
    if (old_expire_time.is_nil() || std::stoll(old_expire_time.reply.text) >= now_time) {
      co_return Acquired::busy("deleted, or not yet expired");
    }
    me.env.mark(Mark::lease_ran_out);
    const redis::Answer old_expire_time_2 = co_await redis::client(me).command("GETSET", key, expire_time);
    if (old_expire_time_2.threw()) {
      co_return Acquired::unknown(old_expire_time_2);
    }
    if (old_expire_time_2.is_nil() || old_expire_time.reply == old_expire_time_2.reply) {
      Acquired won = co_await expire_and_win(me, expire_time);
      co_return won;
    }
    co_return Acquired::busy("another was faster");
  }

 private:
  // redisService.expire(key, expireTime): seconds, says Redis; a time in milliseconds, says the code.
  Task<Acquired> expire_and_win(Caller& me, std::int64_t expire_time) {
    const redis::Answer expire = co_await redis::client(me).command("EXPIRE", settings().key, expire_time);
    if (expire.threw()) {
      co_return Acquired::unknown(expire);
    }
    co_return Acquired::granted();
  }
};

}  // namespace

std::unique_ptr<Lock> make_redis_getset_null(LockSettings settings) {
  return std::make_unique<GetsetNull>(std::move(settings));
}

}  // namespace holdfast
