// redis-lua-000: SETNX and EXPIRE in one script; an unlock script that cannot run.
//
// Origin: 000:L245-259, both texts as printed, to the blank.
// Idea: a script makes the two commands atomic, and the unlock compares before it deletes.
// Known to get wrong: a bracket stands in the wrong place: redis.call('get', key, ARGV[1] == 1) passes a
// boolean to GET, so every release is an error and the lock comes free only by expiring. A holder that
// outlives its TTL works on beside its successor.
#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/ttl.h"

namespace holdfast {
namespace {

// Ordinary literals, line by line: the printed texts end some lines with a blank.
constexpr std::string_view lock_script =
    "  if (redis.call('setnx', KEYS[1], ARGV[1]) == 1) then\n"
    "       redis.call('expire', KEYS[1], tonumber(ARGV[2]))\n"
    "       return true \n"
    "   else\n"
    "       return false\n"
    "   end\n";
constexpr std::string_view lua_000_unlock_script =
    " if redis.call('get',KEYS[1],ARGV[1] == 1) then \n"
    "        redis.call('del', KEYS[1])\n"
    "        return true\n"
    "  else\n"
    "        return false\n"
    "  end\n";

class Lua000 final : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;

  Task<Released> release(Caller& me, LockMode) override {
    const redis::Answer unlocked = co_await redis::client(me).command("EVAL", lua_000_unlock_script, 1,
                                                                      settings().key, me.env.thread_name());
    if (unlocked.threw()) {
      co_return Released::unknown(unlocked);
    }
    co_return unlocked.is(1) ? Released::done() : Released::refused("the script returned false");
  }

 protected:
  // Lua's true arrives as 1, its false as nil.
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const redis::Answer locked = co_await redis::client(me).command(
        "EVAL", lock_script, 1, settings().key, me.env.thread_name(), ttl_seconds(settings().ttl));
    if (locked.threw()) {
      co_return Acquired::unknown(locked);
    }
    co_return locked.is(1) ? Acquired::granted() : Acquired::busy();
  }
};

}  // namespace

std::unique_ptr<Lock> make_redis_lua_000(LockSettings settings) {
  return std::make_unique<Lua000>(std::move(settings));
}

}  // namespace holdfast
