#include "locks/redis/hash_reentrant.h"

#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/ttl.h"

namespace holdfast {
namespace {

// 003:L68-75 with ARG corrected to ARGV.
constexpr std::string_view corrected_lock_script =
    R"(if redis.call('exists',KEYS[1]) == 0 or redis.call('hexists',KEYS[1],ARGV[1]) == 1
then
    redis.call('hincrby',KEYS[1],ARGV[1],1)
    redis.call('expire',KEYS[1],ARGV[2])
    return 1
else
    return 0
end)";

// 003:L68-75 as printed.
constexpr std::string_view literal_lock_script =
    R"(if redis.call('exists',KEYS[1]) == 0 or redis.call('hexists',KEYS[1],ARG[1]) == 1
then
    redis.call('hincrby',KEYS[1],ARG[1],1)
    redis.call('expire',KEYS[1],ARG[2])
    return 1
else
    return 0
end)";

// 003:L78-86 as printed.
constexpr std::string_view hash_unlock_script = R"(if redis.call('hexists',KEYS[1],ARGV[1]) == 0
then
    return nil
elseif redis.call('hincrby',KEYS[1],ARGV[1], -1) == 0
then
    return redis.call('del',KEYS[1])
else
    return 0
end)";

}  // namespace

HashReentrantLock::HashReentrantLock(LockSettings settings)
    : HashReentrantLock(std::move(settings), corrected_lock_script) {}

HashReentrantLock::HashReentrantLock(LockSettings settings, std::string_view lock_script)
    : SpinningLock(std::move(settings)), lock_script_(lock_script) {}

Task<Acquired> HashReentrantLock::try_once(Caller& me, AcquireRequest) {
  const redis::Answer locked = co_await redis::client(me).command(
      "EVAL", lock_script_, 1, settings().key, me.env.thread_name(), ttl_seconds(settings().ttl));
  if (locked.threw()) {
    co_return Acquired::unknown(locked);
  }
  if (!locked.is(1)) {
    co_return Acquired::busy();
  }
  on_granted(me);
  co_return Acquired::granted();
}

Task<Released> HashReentrantLock::release(Caller& me, LockMode) {
  const redis::Answer unlocked =
      co_await redis::client(me).command("EVAL", hash_unlock_script, 1, settings().key, me.env.thread_name());
  if (unlocked.threw()) {
    co_return Released::unknown(unlocked);
  }
  if (unlocked.is_nil()) {
    on_gone(me);
    co_return Released::refused("this thread does not hold the lock");  // "throws" (003:L109)
  }
  if (unlocked.is(1)) {
    on_gone(me);
  }
  co_return Released::done();  // 0: one level less, not yet free (003:L110)
}

std::unique_ptr<Lock> make_redis_hash_reentrant(LockSettings settings) {
  return std::make_unique<HashReentrantLock>(std::move(settings));
}

std::unique_ptr<Lock> make_redis_hash_reentrant_literal(LockSettings settings) {
  return std::make_unique<HashReentrantLock>(std::move(settings), literal_lock_script);
}

}  // namespace holdfast
