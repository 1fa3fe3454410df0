// redisson-semaphore (003:L160–165): getSemaphore; trySetPermits(n); acquire() / release().
//
// A counter of free permits. It is set once, by whoever comes first; acquire takes one off if there is
// any, release adds one and publishes. Waiters sleep until a message, without a bound.
//
// Known to get wrong:
// - Permits have no owner and no lease: a holder that crashes takes its permit with it, for ever.
// - Anybody may release, also twice: each release makes a permit. So does one whose reply was lost and
//   that is then repeated.
// - An acquire whose reply was lost has taken a permit that nobody will give back.
// - A message that is lost (it is published once, to whoever is connected) leaves a waiter asleep beside
//   a free permit.
// - A counter lost by the server is not set again by clients that are already running: nobody gets in,
//   until releases have made it up anew.
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "locks/redis/client.h"
#include "locks/redis/redisson/contended.h"
#include "locks/redis/redisson/designs.h"
#include "locks/redis/redisson/names.h"

namespace holdfast {
namespace redisson {

namespace {

// KEYS: permits, channel. ARGV: how many.
constexpr std::string_view try_set_permits_script = R"lua(
if redis.call('exists', KEYS[1]) == 1 then
  return 0
end
redis.call('set', KEYS[1], ARGV[1])
redis.call('publish', KEYS[2], ARGV[1])
return 1
)lua";

// KEYS: permits.
constexpr std::string_view try_acquire_script = R"lua(
local free = redis.call('get', KEYS[1])
if free and tonumber(free) >= 1 then
  redis.call('decrby', KEYS[1], 1)
  return 1
end
return 0
)lua";

// KEYS: permits, channel.
constexpr std::string_view release_script = R"lua(
local free = redis.call('incrby', KEYS[1], 1)
redis.call('publish', KEYS[2], free)
)lua";

class RSemaphore : public Lock, private Contended {
 public:
  using Lock::Lock;

  Task<Acquired> acquire(Caller& me, AcquireRequest request) override {
    if (!permits_set_) {
      const redis::Answer set = co_await redis::client(me).command(
          "EVAL", try_set_permits_script, 2, settings().key, channel(me), settings().permits);
      if (set.threw()) {
        co_return Acquired::unknown(set);
      }
      permits_set_ = true;
    }
    Acquired acquired = co_await wait_for_grant(*this, me, request);
    co_return acquired;
  }

  Task<Released> release(Caller& me, LockMode /*mode*/) override {
    const redis::Answer answer =
        co_await redis::client(me).command("EVAL", release_script, 2, settings().key, channel(me));
    co_return answer.threw() ? Released::unknown(answer) : Released::done();
  }

 private:
  Task<Attempt> attempt(Caller& me, AcquireRequest /*request*/) override {
    const redis::Answer answer =
        co_await redis::client(me).command("EVAL", try_acquire_script, 1, settings().key);
    if (answer.threw()) {
      co_return Attempt::threw(answer.problem());
    }
    co_return answer.is(1) ? Attempt::granted() : Attempt::busy();
  }

  std::string channel(Caller& /*me*/) const override { return prefix_name("redisson_sc", settings().key); }

  bool permits_set_ = false;  // by this process, or found set by it
};

}  // namespace

}  // namespace redisson

std::unique_ptr<Lock> make_redisson_semaphore(LockSettings settings) {
  return std::make_unique<redisson::RSemaphore>(std::move(settings));
}

}  // namespace holdfast
