// redisson-rw (003:L153–158; beyond it: RedissonReadWriteLock): getReadWriteLock, as in Redisson 4.7.0
// (conformance/).
//
// One hash for both sides. Its field `mode` says read or write; every reader has a field `uuid:thread`,
// the writer `uuid:thread:write`, each with how often it holds. Readers share, a writer is alone, and a
// writer may read as well; when it stops writing first, it stays a reader. Since the hash has one expiry
// for all readers, every hold of a reader has a key of its own that expires with that reader's lease: the
// hash is kept for the longest of those when a reader leaves. Each side has its own watchdog. Unlocking what
// has expired is refused (releases up to 3.43 called it a success, those from 3.44 do not).
//
// Known to get wrong, beside all that redisson-rlock does:
// - A reader that asks for the write lock waits for itself, for ever.
// - A crashed reader holds writers up until its lease ends, and no message tells them when it does.
// - When a writer steps down to reader nobody is told: readers that wait sleep out the lease they saw.
// - A writer's re-entry adds a lease to what is left, so a crash then blocks for two leases.
// - A writer that also reads, and stops reading first, is not renewed as a writer any more: it loses the lock
// a
//   lease later, at work. (Each readLock.unlock() of a thread takes one level off its renewal as a writer.)
// - Readers overtake waiting writers without end.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "locks/redis/redisson/designs.h"
#include "locks/redis/redisson/names.h"
#include "locks/redis/redisson/rlock.h"

namespace holdfast {
namespace redisson {

namespace {

// KEYS: lock, prefix of my timeout keys. ARGV: lease in ms, my field, my field as a writer.
constexpr std::string_view read_lock_script = R"lua(
local mode = redis.call('hget', KEYS[1], 'mode')
if mode == 'write' and redis.call('hexists', KEYS[1], ARGV[3]) == 0 then
  return redis.call('pttl', KEYS[1])
end
if not mode then
  redis.call('hset', KEYS[1], 'mode', 'read')
end
local holds = redis.call('hincrby', KEYS[1], ARGV[2], 1)
redis.call('set', KEYS[2] .. ':' .. holds, 1, 'px', ARGV[1])
local left = redis.call('pttl', KEYS[1])
redis.call('pexpire', KEYS[1], math.max(left, tonumber(ARGV[1])))
return nil
)lua";

// KEYS: lock, channel, prefix of my timeout keys, prefix of everybody's. ARGV: my field, message.
constexpr std::string_view read_unlock_script = R"lua(
local mode = redis.call('hget', KEYS[1], 'mode')
if not mode then
  redis.call('publish', KEYS[2], ARGV[2])
  return nil
end
if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
  return nil
end
local holds = redis.call('hincrby', KEYS[1], ARGV[1], -1)
if holds == 0 then
  redis.call('hdel', KEYS[1], ARGV[1])
end
redis.call('del', KEYS[3] .. ':' .. (holds + 1))
if redis.call('hlen', KEYS[1]) > 1 then
  local longest = -3
  for _, field in ipairs(redis.call('hkeys', KEYS[1])) do
    local count = tonumber(redis.call('hget', KEYS[1], field))
    for hold = 1, count or 0 do
      local left = redis.call('pttl', KEYS[4] .. ':' .. field .. ':rwlock_timeout:' .. hold)
      longest = math.max(longest, left)
    end
  end
  if longest > 0 then
    redis.call('pexpire', KEYS[1], longest)
    return 0
  end
  if mode == 'write' then
    return 0
  end
end
redis.call('del', KEYS[1])
redis.call('publish', KEYS[2], ARGV[2])
return 1
)lua";

// KEYS: lock, prefix of everybody's timeout keys. ARGV: lease in ms, the fields to renew.
constexpr std::string_view read_renew_script = R"lua(
local alive = 0
for index = 2, #ARGV do
  local holds = redis.call('hget', KEYS[1], ARGV[index])
  if holds then
    alive = 1
    for hold = 1, tonumber(holds) do
      redis.call('pexpire', KEYS[2] .. ':' .. ARGV[index] .. ':rwlock_timeout:' .. hold, ARGV[1])
    end
  end
end
if alive == 1 then
  redis.call('pexpire', KEYS[1], ARGV[1])
end
return alive
)lua";

// KEYS: lock. ARGV: lease in ms, my field as a writer.
constexpr std::string_view write_lock_script = R"lua(
local mode = redis.call('hget', KEYS[1], 'mode')
if not mode then
  redis.call('hset', KEYS[1], 'mode', 'write')
  redis.call('hset', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
local left = redis.call('pttl', KEYS[1])
if mode == 'write' and redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
  redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], left + tonumber(ARGV[1]))
  return nil
end
return left
)lua";

// KEYS: lock, channel. ARGV: lease in ms, my field as a writer, message.
constexpr std::string_view write_unlock_script = R"lua(
local mode = redis.call('hget', KEYS[1], 'mode')
if not mode then
  redis.call('publish', KEYS[2], ARGV[3])
  return nil
end
if mode ~= 'write' or redis.call('hexists', KEYS[1], ARGV[2]) == 0 then
  return nil
end
if redis.call('hincrby', KEYS[1], ARGV[2], -1) > 0 then
  redis.call('pexpire', KEYS[1], ARGV[1])
  return 0
end
redis.call('hdel', KEYS[1], ARGV[2])
if redis.call('hlen', KEYS[1]) == 1 then
  redis.call('del', KEYS[1])
  redis.call('publish', KEYS[2], ARGV[3])
else
  redis.call('hset', KEYS[1], 'mode', 'read')
end
return 1
)lua";

std::string writer_field(const Caller& me, std::uint32_t thread) {
  return holder_name(me.env, thread) + ":write";
}

std::string rw_channel(std::string_view key) {
  return prefix_name("redisson_rwlock", key);
}

class ReadLock : public RLock {
 public:
  explicit ReadLock(LockSettings lock_settings)
      : RLock(std::move(lock_settings), {.renewal_scope = RenewalScope::all_threads}) {}

 protected:
  Task<Synced> try_lock(Caller& me, AcquireRequest /*request*/) override {
    return evaluate(me, read_lock_script, 2, settings().key, my_timeouts(me), lease_ms(), my_field(me),
                    writer_field(me, me.env.thread()));
  }

  Task<Synced> unlock(Caller& me) override {
    return evaluate(me, read_unlock_script, 4, settings().key, channel(me), my_timeouts(me), all_timeouts(),
                    my_field(me), unlock_message);
  }

  Task<redis::Answer> renew(Caller& me, std::vector<std::uint32_t> threads) override {
    redis::Command command =
        redis::make_command("EVAL", read_renew_script, 2, settings().key, all_timeouts(), lease_ms());
    for (const std::uint32_t thread : threads) {
      redis::append_word(command, field(me, thread));
    }
    Synced renewed = co_await evaluate_synced(connection(me), std::move(command));
    co_return std::move(renewed).or_exception();
  }

  std::string channel(Caller& /*me*/) const override { return rw_channel(settings().key); }

 private:
  std::string my_timeouts(const Caller& me) const {
    return suffix_name(settings().key, my_field(me) + ":rwlock_timeout");
  }
  // A reader's timeout keys are this, its field, "rwlock_timeout" and the number of the hold.
  std::string all_timeouts() const { return braced_name(settings().key); }
};

class WriteLock : public RLock {
 public:
  using RLock::RLock;

  // What a thread that stops reading does to its renewal as a writer.
  void reading_stopped(std::uint32_t thread) { cancel_renewal(thread); }

 protected:
  Task<Synced> try_lock(Caller& me, AcquireRequest /*request*/) override {
    return evaluate(me, write_lock_script, 1, settings().key, lease_ms(), my_field(me));
  }

  Task<Synced> unlock(Caller& me) override {
    return evaluate(me, write_unlock_script, 2, settings().key, channel(me), lease_ms(), my_field(me),
                    unlock_message);
  }

  std::string channel(Caller& /*me*/) const override { return rw_channel(settings().key); }
  std::string field(const Caller& me, std::uint32_t thread) const override {
    return writer_field(me, thread);
  }
};

class ReadWriteLock : public Lock {
 public:
  explicit ReadWriteLock(LockSettings lock_settings)
      : Lock(lock_settings), read_(lock_settings), write_(std::move(lock_settings)) {}

  Task<Acquired> acquire(Caller& me, AcquireRequest request) override {
    return side(request.mode).acquire(me, request);
  }
  Task<Released> release(Caller& me, LockMode mode) override {
    Released released = co_await side(mode).release(me, mode);
    if (mode == LockMode::shared) {
      write_.reading_stopped(me.env.thread());
    }
    co_return released;
  }

 private:
  Lock& side(LockMode mode) {
    if (mode == LockMode::shared) {
      return read_;
    }
    return write_;
  }

  ReadLock read_;
  WriteLock write_;
};

}  // namespace

}  // namespace redisson

std::unique_ptr<Lock> make_redisson_rw(LockSettings settings) {
  return std::make_unique<redisson::ReadWriteLock>(std::move(settings));
}

}  // namespace holdfast
