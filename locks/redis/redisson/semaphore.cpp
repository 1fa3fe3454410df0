// redisson-semaphore (003:L160–165): getSemaphore; trySetPermits(n); acquire() / release(), as in
// Redisson 4.7.0 (conformance/).
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
// - What no replica had within a second is given back, even where there was no permit to take: with a replica
// that
//   stands still, an acquire that is refused makes a permit.
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
#include "locks/redis/redisson/synced.h"

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
      const redis::Answer set = co_await set_permits(me);
      if (set.threw()) {
        co_return Acquired::unknown(set);
      }
      permits_set_ = true;
    }
    Acquired acquired = co_await wait_for_grant(*this, me, request);
    co_return acquired;
  }

  Task<Released> release(Caller& me, LockMode /*mode*/) override {
    Synced released = co_await give_back(me);
    if (!released.is_written) {
      co_return Released::unknown(std::string(no_replica_has_it));
    }
    co_return released.answer.threw() ? Released::unknown(released.answer) : Released::done();
  }

 private:
  Task<redis::Answer> set_permits(Caller& me) {
    Synced set = co_await try_set_permits(me);
    for (std::size_t tries = 1; !set.is_written && tries < most_tries; ++tries) {
      co_await pause_before_next_try(me.env);
      set = co_await try_set_permits(me);
    }
    co_return std::move(set).or_exception();
  }

  Task<Attempt> attempt(Caller& me, AcquireRequest /*request*/) override {
    Synced taken = co_await take(me);
    for (std::size_t tries = 1; !taken.is_written; ++tries) {
      me.env.mark(Mark::replicas_too_slow);
      co_await give_back(me);
      if (tries == most_tries) {
        co_return Attempt::threw(std::string(no_replica_has_it));
      }
      co_await pause_before_next_try(me.env);
      taken = co_await take(me);
    }
    if (taken.answer.threw()) {
      co_return Attempt::threw(taken.answer.problem());
    }
    co_return taken.answer.is(1) ? Attempt::granted() : Attempt::busy();
  }

  Task<Synced> try_set_permits(Caller& me) const {
    return evaluate_synced(redis::client(me),
                           redis::make_command("EVAL", try_set_permits_script, 2, settings().key, channel(me),
                                               settings().permits));
  }
  Task<Synced> take(Caller& me) const {
    return evaluate_synced(redis::client(me),
                           redis::make_command("EVAL", try_acquire_script, 1, settings().key));
  }
  Task<Synced> give_back(Caller& me) const {
    return evaluate_synced(redis::client(me),
                           redis::make_command("EVAL", release_script, 2, settings().key, channel(me)));
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
