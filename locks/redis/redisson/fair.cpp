// redisson-fair, redisson-fair-pttl (003:L143; beyond it: RedissonFairLock): getFairLock. redisson-fair is
// that of releases up to 3.29, redisson-fair-pttl that of 3.32 to 4.7.0 (conformance/).
//
// The RLock of rlock.cpp with a queue: a list of waiting holders in the order they came, and a sorted set
// with the time at which each is taken for dead. The lock goes to the head of the queue only; an unlock
// wakes that one, on a channel of its own. A waiter's time is that of the waiter before it (or the lease
// that runs) plus what it is willing to wait, five minutes if it did not say; every script first removes
// heads whose time has passed.
//
// The two ids differ in how long a waiter that stands in the queue already is told to sleep: by an
// estimate made when it queued (its time, less its patience, less now), or for what the lease has left.
//
// Known to get wrong, beside all that redisson-rlock does:
// - "Now" is the client's wall clock: one clock that runs ahead throws living waiters out of the queue.
// - A head that died keeps everybody out until its time has passed: up to five minutes and a lease.
// - The estimate does not follow renewals. Once it is negative the waiter sleeps until a message; if the
//   holder then crashes, there is none, and it sleeps for ever. With -pttl it is 0 while the lock is free
//   but another is head: a waiter behind a dead head asks in a tight loop for those minutes.
// - A grant takes the new holder's own waiting time off everybody's, whatever time they were given.
// - An exception out of a waiting lock() leaves its place in the queue behind.
// - Unlocking a lock that has expired and is free succeeds: the owner is not told that it had lost it.
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "locks/redis/redisson/designs.h"
#include "locks/redis/redisson/names.h"
#include "locks/redis/redisson/rlock.h"

namespace holdfast {
namespace redisson {

namespace {

// Of a waiter that did not say how long it will wait (fairLockWaitTimeout).
constexpr Duration default_wait = std::chrono::minutes(5);

// Each script is put together from these parts.
// KEYS: lock, queue, timeouts. ARGV: lease in ms, my field, (differs), now in ms.
constexpr std::string_view drop_stale_heads = R"lua(
while true do
  local head = redis.call('lindex', KEYS[2], 0)
  local timeout = head and redis.call('zscore', KEYS[3], head)
  if not timeout or tonumber(timeout) > tonumber(ARGV[4]) then
    break
  end
  redis.call('zrem', KEYS[3], head)
  redis.call('lpop', KEYS[2])
end
)lua";

// ARGV[3]: how long I would wait, in ms.
constexpr std::string_view take_if_my_turn = R"lua(
if redis.call('exists', KEYS[1]) == 0
    and (redis.call('exists', KEYS[2]) == 0 or redis.call('lindex', KEYS[2], 0) == ARGV[2]) then
  redis.call('lpop', KEYS[2])
  redis.call('zrem', KEYS[3], ARGV[2])
  for _, waiter in ipairs(redis.call('zrange', KEYS[3], 0, -1)) do
    redis.call('zincrby', KEYS[3], -tonumber(ARGV[3]), waiter)
  end
  redis.call('hset', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
  redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
)lua";

constexpr std::string_view go_away = "return 1\n";

constexpr std::string_view sleep_by_estimate = R"lua(
local my_timeout = redis.call('zscore', KEYS[3], ARGV[2])
if my_timeout then
  return tonumber(my_timeout) - tonumber(ARGV[3]) - tonumber(ARGV[4])
end
)lua";

constexpr std::string_view sleep_by_lease = R"lua(
if redis.call('zscore', KEYS[3], ARGV[2]) then
  return math.max(0, redis.call('pttl', KEYS[1]))
end
)lua";

constexpr std::string_view join_queue = R"lua(
local last = redis.call('lindex', KEYS[2], -1)
local last_timeout = last and redis.call('zscore', KEYS[3], last)
local ttl
if last_timeout then
  ttl = tonumber(last_timeout) - tonumber(ARGV[4])
else
  ttl = redis.call('pttl', KEYS[1])
end
if redis.call('zadd', KEYS[3], ttl + tonumber(ARGV[3]) + tonumber(ARGV[4]), ARGV[2]) == 1 then
  redis.call('rpush', KEYS[2], ARGV[2])
end
return ttl
)lua";

// KEYS[4]: channel. ARGV[3]: message.
constexpr std::string_view unlock_and_wake_head = R"lua(
if redis.call('exists', KEYS[1]) == 1 then
  if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then
    return nil
  end
  if redis.call('hincrby', KEYS[1], ARGV[2], -1) > 0 then
    redis.call('pexpire', KEYS[1], ARGV[1])
    return 0
  end
  redis.call('del', KEYS[1])
end
local head = redis.call('lindex', KEYS[2], 0)
if head then
  redis.call('publish', KEYS[4] .. ':' .. head, ARGV[3])
end
return 1
)lua";

// Whoever stood behind me moves up by my waiting time.
// KEYS: queue, timeouts. ARGV: my field, how long I would have waited in ms.
constexpr std::string_view leave_queue = R"lua(
local behind_me = false
for _, waiter in ipairs(redis.call('lrange', KEYS[1], 0, -1)) do
  if behind_me then
    redis.call('zincrby', KEYS[2], -tonumber(ARGV[2]), waiter)
  elseif waiter == ARGV[1] then
    behind_me = true
  end
end
redis.call('zrem', KEYS[2], ARGV[1])
redis.call('lrem', KEYS[1], 0, ARGV[1])
)lua";

std::string join(std::string_view first, std::string_view second, std::string_view third = {},
                 std::string_view fourth = {}) {
  std::string script;
  script.append(first).append(second).append(third).append(fourth);
  return script;
}

class FairLock : public RLock {
 public:
  FairLock(LockSettings lock_settings, std::string_view sleep_when_queued)
      : RLock(std::move(lock_settings)),
        queue_(prefix_name("redisson_lock_queue", settings().key)),
        timeouts_(prefix_name("redisson_lock_timeout", settings().key)),
        queueing_script_(join(drop_stale_heads, take_if_my_turn, sleep_when_queued, join_queue)),
        passing_script_(join(drop_stale_heads, take_if_my_turn, go_away)),
        unlock_script_(join(drop_stale_heads, unlock_and_wake_head)) {}

 protected:
  Task<Synced> try_lock(Caller& me, AcquireRequest request) override {
    return evaluate(me, only_tries(request) ? passing_script_ : queueing_script_, 3, settings().key, queue_,
                    timeouts_, lease_ms(), my_field(me), wait_ms(request), me.env.wall_ms());
  }

  Task<Synced> unlock(Caller& me) override {
    return evaluate(me, unlock_script_, 4, settings().key, queue_, timeouts_, RLock::channel(me), lease_ms(),
                    my_field(me), unlock_message, me.env.wall_ms());
  }

  std::string channel(Caller& me) const override { return RLock::channel(me) + ":" + my_field(me); }

  Task<> give_up(Caller& me, AcquireRequest request) override {
    if (only_tries(request)) {
      co_return;
    }
    co_await evaluate(me, leave_queue, 2, queue_, timeouts_, my_field(me), wait_ms(request));
  }

 private:
  // tryLock() does not queue.
  static bool only_tries(const AcquireRequest& request) {
    return request.patience && *request.patience <= Duration::zero();
  }
  static std::int64_t wait_ms(const AcquireRequest& request) {
    return to_milliseconds(request.patience.value_or(default_wait));
  }

  std::string queue_;
  std::string timeouts_;
  std::string queueing_script_;
  std::string passing_script_;
  std::string unlock_script_;
};

}  // namespace

}  // namespace redisson

std::unique_ptr<Lock> make_redisson_fair(LockSettings settings) {
  return std::make_unique<redisson::FairLock>(std::move(settings), redisson::sleep_by_estimate);
}

std::unique_ptr<Lock> make_redisson_fair_pttl(LockSettings settings) {
  return std::make_unique<redisson::FairLock>(std::move(settings), redisson::sleep_by_lease);
}

}  // namespace holdfast
