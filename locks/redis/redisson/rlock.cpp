// redisson-rlock (004:L138–285, 003:L137): RedissonClient.getLock, lock() and tryLock(waitTime), as in
// Redisson 4.7.0 (conformance/).
//
// The lock is a hash; its one field is `uuid:thread`, the field's value how often that thread has locked.
// It is taken and given back in Lua. Who finds it taken is told how long the lease still runs, subscribes
// to the lock's channel, and sleeps until a message or that long. A watchdog renews the lease every third
// of it (30 s, so every 10 s), and a renewal that failed is tried again at the next tick.
//
// Known to get wrong:
// - Whoever cannot reach Redis, or is paused, for a whole lease loses the lock and is never told.
// - The thread may die; as long as its process lives, the watchdog keeps the lock for ever.
// - A failover loses a grant that no replica had yet, and another replica may take over than the one that had
//   it. A grant that no replica has within a second is given back and tried again, five times in all: then
//   lock() throws.
// - An unlock that throws has cancelled the renewal already: the lock then stands until the lease ends.
// - A grant whose reply was lost is renewed by nobody, but stays until its lease ends.
//
// Deviations: Redisson keeps the outcome of an unlock in a key of its own for some seconds, which it then
// deletes, so that an unlock may be sent again. That it does when no replica had it in time, and here only
// WAIT is repeated. (What was sent and not answered it does not send again: lock() and unlock() throw.)
#include "locks/redis/redisson/rlock.h"

#include <memory>
#include <string_view>
#include <utility>

#include "locks/redis/redisson/designs.h"
#include "locks/redis/redisson/names.h"

namespace holdfast {
namespace redisson {

namespace {

// KEYS: lock. ARGV: lease in ms, my field.
constexpr std::string_view try_lock_script = R"lua(
if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
  redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
return redis.call('pttl', KEYS[1])
)lua";

// KEYS: lock, channel. ARGV: lease in ms, my field, message.
constexpr std::string_view unlock_script = R"lua(
if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then
  return nil
end
if redis.call('hincrby', KEYS[1], ARGV[2], -1) > 0 then
  redis.call('pexpire', KEYS[1], ARGV[1])
  return 0
end
redis.call('del', KEYS[1])
redis.call('publish', KEYS[2], ARGV[3])
return 1
)lua";

// 004:L278–282, as printed.
constexpr std::string_view renew_script =
    "if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then "
    "redis.call('pexpire', KEYS[1], ARGV[1]); "
    "return 1; "
    "end; "
    "return 0;";

}  // namespace

RLock::RLock(LockSettings settings, RLockOptions options)
    : Lock(std::move(settings)),
      options_(options),
      renewal_(*this, this->settings().ttl, options.renewal.value_or(RenewalStyle::current),
               options.renewal_scope) {}

Task<Acquired> RLock::acquire(Caller& me, AcquireRequest request) {
  Acquired acquired = co_await wait_for_grant(*this, me, request);
  co_return acquired;
}

Task<Attempt> RLock::attempt(Caller& me, AcquireRequest request) {
  Synced tried = co_await try_lock(me, request);
  for (std::size_t tries = 1; !tried.is_written; ++tries) {
    me.env.mark(Mark::replicas_too_slow);
    if (undoes_what_no_replica_has()) {
      co_await unlock(me);
    }
    if (!undoes_what_no_replica_has() || tries == most_tries) {
      co_return Attempt::threw(std::string(no_replica_has_it));
    }
    co_await pause_before_next_try(me.env);
    tried = co_await try_lock(me, request);
  }
  if (tried.answer.threw()) {
    co_return Attempt::threw(tried.answer.problem());
  }
  Attempt attempt = read_attempt(tried.answer);
  if (attempt.is_granted() && options_.renewal) {
    renewal_.schedule(me);
  }
  co_return attempt;
}

Task<Released> RLock::release(Caller& me, LockMode /*mode*/) {
  Synced unlocked = co_await unlock(me);
  for (std::size_t tries = 1; !unlocked.is_written && tries < most_tries; ++tries) {
    co_await pause_before_next_try(me.env);
    unlocked.is_written = co_await wait_for_replicas(connection(me));
  }
  // Whatever was answered: a caller that wants out is not renewed.
  cancel_renewal(me.env.thread());
  if (!unlocked.is_written) {
    co_return Released::unknown(std::string(no_replica_has_it));
  }
  const redis::Answer& answer = unlocked.answer;
  if (answer.threw()) {
    co_return Released::unknown(answer);
  }
  if (answer.is_nil()) {
    co_return Released::refused("not locked by " + my_field(me));
  }
  co_return Released::done();
}

Task<Synced> RLock::try_lock(Caller& me, AcquireRequest /*request*/) {
  return evaluate(me, try_lock_script, 1, settings().key, lease_ms(), my_field(me));
}

Attempt RLock::read_attempt(const redis::Answer& answer) const {
  return answer.is_nil() ? Attempt::granted() : Attempt::busy(answer.reply.number);
}

Task<Synced> RLock::unlock(Caller& me) {
  return evaluate(me, unlock_script, 2, settings().key, channel(me), lease_ms(), my_field(me),
                  unlock_message);
}

Task<redis::Answer> RLock::renew(Caller& me, std::vector<std::uint32_t> threads) {
  Synced renewed =
      co_await evaluate(me, renew_script, 1, settings().key, lease_ms(), field(me, threads.front()));
  co_return std::move(renewed).or_exception();
}

std::string RLock::channel(Caller& /*me*/) const {
  return prefix_name("redisson_lock__channel", settings().key);
}

std::string RLock::field(const Caller& me, std::uint32_t thread) const {
  return holder_name(me.env, thread);
}

}  // namespace redisson

std::unique_ptr<Lock> make_redisson_rlock(LockSettings settings) {
  return std::make_unique<redisson::RLock>(std::move(settings));
}

}  // namespace holdfast
