// Mutants of redisson-fenced: its token, changed.
//
// mutant-fenced-token-reset: a client that starts sets the counter to 0, where it should do so only if
//   there is none. Shows when a client starts (again) after tokens were handed out.
// mutant-fenced-token-expires: the counter gets the lock's expiry, to leave nothing behind. Shows when
//   the lock runs out with it, after a crash: the next token is 1 again.
// mutant-fenced-token-read-later: the token is read after the grant, with a command of its own (this is
//   redisson-fenced-gettoken). Shows when the lease runs out in between: the stale holder reads the token of
//   its successor. The correct lock has two holders then, too, but storage can tell them apart (F).
#include <utility>

#include "locks/redis/client.h"
#include "locks/redis/mutants/designs.h"
#include "locks/redis/mutants/rewritten.h"
#include "locks/redis/redisson/designs.h"
#include "locks/redis/redisson/names.h"

namespace holdfast::mutants {
namespace {

class TokenReset final : public Lock {
 public:
  explicit TokenReset(LockSettings lock_settings)
      : Lock(lock_settings), correct_(make_redisson_fenced(std::move(lock_settings))) {}

  Task<Acquired> acquire(Caller& me, AcquireRequest request) override {
    if (!started_) {
      started_ = true;
      co_await redis::client(me).command("SET", redisson::prefix_name("redisson_lock_token", settings().key),
                                         0);
    }
    Acquired acquired = co_await correct_->acquire(me, request);
    co_return acquired;
  }
  Task<Released> release(Caller& me, LockMode mode) override { return correct_->release(me, mode); }

 private:
  std::unique_ptr<Lock> correct_;
  bool started_ = false;
};

std::unique_ptr<Lock> make_token_reset(LockSettings settings) {
  return std::make_unique<TokenReset>(std::move(settings));
}

constexpr Rewrite token_expires{"return {-1, redis.call('incr', KEYS[2])}",
                                "local token = redis.call('incr', KEYS[2])\n"
                                "redis.call('pexpire', KEYS[2], ARGV[1])\n"
                                "return {-1, token}"};

}  // namespace

std::vector<MutantEntry> fenced() {
  MutantScope restarts;
  restarts.menu = {pause_for(100), crash(), crash_and_restart(), lost_reply()};
  MutantScope long_pauses;
  long_pauses.menu = {pause_for(1500)};
  long_pauses.entitled = Letter::fenced;
  return {
      make_entry("mutant-fenced-token-reset", "redisson-fenced",
                 "a client that starts sets the counter of tokens to 0", make_token_reset, restarts),
      make_entry("mutant-fenced-token-expires", "redisson-fenced",
                 "the counter of tokens expires with the lock",
                 make_rewritten<make_redisson_fenced, token_expires>, restarts),
      make_entry("mutant-fenced-token-read-later", "redisson-fenced",
                 "the token is read with a command of its own, after the grant",
                 make_redisson_fenced_gettoken, long_pauses),
  };
}

}  // namespace holdfast::mutants
