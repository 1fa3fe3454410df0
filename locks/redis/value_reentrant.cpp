// redis-value-reentrant: SETNX and PEXPIRE in a script; who finds its own value in the key re-enters.
//
// Origin: 002:L273-308, lock.lua and unlock.lua as printed (all arguments travel as KEYS). The request id
// names the thread, as the comment at 002:L285 takes it to.
// Idea: the same value means the same thread, so granting it again is safe.
// Known to get wrong: re-entry is not counted, so the first of two unlocks releases the lock under the
// outer section; a holder that outlives its TTL works on beside its successor.
#include "locks/redis/value_reentrant.h"

#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/ttl.h"

namespace holdfast {
namespace {

constexpr std::string_view lock_script = R"(--- -1 failed
--- 1 success
---
local key = KEYS[1]
local requestId = KEYS[2]
local ttl = tonumber(KEYS[3])
local result = redis.call('setnx', key, requestId)
if result == 1 then
    --PEXPIRE:以毫秒的形式指定过期时间
    redis.call('pexpire', key, ttl)
else
    result = -1;
    -- 如果value相同，则认为是同一个线程的请求，则认为重入锁
    local value = redis.call('get', key)
    if (value == requestId) then
        result = 1;
        redis.call('pexpire', key, ttl)
    end
end
--  如果获取锁成功，则返回 1
return result)";

constexpr std::string_view value_unlock_script = R"(--- -1 failed
--- 1 success

-- unlock key
local key = KEYS[1]
local requestId = KEYS[2]
local value = redis.call('get', key)
if value == requestId then
    redis.call('del', key);
    return 1;
end
return -1)";

}  // namespace

Task<Released> ValueReentrant::release(Caller& me, LockMode) {
  const redis::Answer unlocked =
      co_await redis::client(me).command("EVAL", value_unlock_script, 2, settings().key, value(me));
  if (unlocked.threw()) {
    co_return Released::unknown(unlocked);
  }
  co_return unlocked.is(1) ? Released::done() : Released::refused("the key does not hold my value");
}

Task<Acquired> ValueReentrant::try_once(Caller& me, AcquireRequest) {
  const redis::Answer locked = co_await redis::client(me).command(
      "EVAL", lock_script, 3, settings().key, value(me), ttl_milliseconds(settings().ttl));
  if (locked.threw()) {
    co_return Acquired::unknown(locked);
  }
  co_return locked.is(1) ? Acquired::granted() : Acquired::busy();
}

std::unique_ptr<Lock> make_redis_value_reentrant(LockSettings settings) {
  return std::make_unique<ValueReentrant>(std::move(settings));
}

}  // namespace holdfast
