// Mutants of redis-px-cad that take the lock wrongly. They release as it does.
//
// mutant-px-overwrite-on-retry: SET NX gets no answer, and the client sends it again without NX: "the first
//   one may have been mine, so the key may be there". Seen in wrappers that retry after a time-out. Shows
//   when the answer that was lost was a refusal: the holder's key is overwritten.
// mutant-px-del-after-timeout: SET NX gets no answer, and the client deletes the key to leave nothing behind,
//   without a look whose it is. Seen in catch blocks. Shows as above.
// mutant-px-setnx-then-expire: SETNX, then PEXPIRE: the lock before Redis 2.6.12. Shows when the client dies
//   between the two, or one of them never arrives: the lock is never free again.
// mutant-px-expire-always: a script that does SETNX and then PEXPIRE whatever SETNX said. Seen in many a
//   snippet. Everybody who asks renews the holder's lease: shows when the holder dies, for as long as
//   somebody waits.
//
// The correct lock withstands all of it: an answer that is lost costs a lease at most.
#include "locks/redis/client.h"
#include "locks/redis/mutants/designs.h"
#include "locks/redis/mutants/px_cad.h"
#include "locks/redis/ttl.h"

namespace holdfast::mutants {
namespace {

class OverwriteOnRetry final : public PxCadToChange {
 public:
  using PxCadToChange::PxCadToChange;

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest request) override {
    Acquired set = co_await PxLock::try_once(me, request);
    if (set.outcome != Acquired::Outcome::unknown) {
      co_return set;
    }
    const redis::Answer again = co_await redis::client(me).command("SET", settings().key, request_id(me),
                                                                   "PX", ttl_milliseconds(settings().ttl));
    co_return again.is_ok() ? Acquired::granted() : Acquired::unknown(again);
  }
};

class DelAfterTimeout final : public PxCadToChange {
 public:
  using PxCadToChange::PxCadToChange;

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest request) override {
    Acquired set = co_await PxLock::try_once(me, request);
    if (set.outcome == Acquired::Outcome::unknown) {
      co_await redis::client(me).command("DEL", settings().key);
    }
    co_return set;
  }
};

class SetnxThenExpire final : public PxCadToChange {
 public:
  using PxCadToChange::PxCadToChange;

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const redis::Answer set = co_await redis::client(me).command("SETNX", settings().key, request_id(me));
    if (set.threw()) {
      co_return Acquired::unknown(set);
    }
    if (!set.is(1)) {
      co_return Acquired::busy();
    }
    const redis::Answer expire =
        co_await redis::client(me).command("PEXPIRE", settings().key, ttl_milliseconds(settings().ttl));
    co_return expire.threw() ? Acquired::unknown(expire) : Acquired::granted();
  }
};

constexpr std::string_view expire_always_script =
    "local taken = redis.call('setnx', KEYS[1], ARGV[1]) "
    "redis.call('pexpire', KEYS[1], ARGV[2]) "
    "return taken";

class ExpireAlways final : public PxCadToChange {
 public:
  using PxCadToChange::PxCadToChange;

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest) override {
    const redis::Answer taken = co_await redis::client(me).command(
        "EVAL", expire_always_script, 1, settings().key, request_id(me), ttl_milliseconds(settings().ttl));
    if (taken.threw()) {
      co_return Acquired::unknown(taken);
    }
    co_return taken.is(1) ? Acquired::granted() : Acquired::busy();
  }
};

}  // namespace

std::vector<MutantEntry> px_acquire() {
  return {
      make_entry("mutant-px-overwrite-on-retry", "redis-px-cad",
                 "a SET without an answer is repeated without NX", make_px<OverwriteOnRetry>,
                 within_the_lease()),
      make_entry("mutant-px-del-after-timeout", "redis-px-cad",
                 "after a SET without an answer the key is deleted, whosever it is", make_px<DelAfterTimeout>,
                 within_the_lease()),
      make_entry("mutant-px-setnx-then-expire", "redis-px-cad", "SETNX and PEXPIRE are two commands",
                 make_px<SetnxThenExpire>, within_the_lease()),
      make_entry("mutant-px-expire-always", "redis-px-cad",
                 "the script sets the expiry also when it did not get the lock", make_px<ExpireAlways>,
                 within_the_lease()),
  };
}

}  // namespace holdfast::mutants
