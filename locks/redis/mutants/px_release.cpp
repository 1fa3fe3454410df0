// Mutants of redis-px-cad that release the lock wrongly. They take it as it does.
//
// mutant-px-get-del: GET, compare, DEL: comparing and deleting are two commands. It is redis-px-get-del, held
//   to what redis-px-cad withstands. Shows when the lease runs out in between (a pause, or a DEL that is
//   late): the successor's lock is deleted.
// mutant-px-watch-late: the release as a transaction, but WATCH is sent after the GET it should guard. Shows
//   when the lease runs out between the two, and only then.
// mutant-px-constant-value: every client writes the same value, so comparing it proves nothing. Seen as SET
//   lock 1 NX PX, or a host name that all containers share. Shows when a release is late.
#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/mutants/designs.h"
#include "locks/redis/mutants/px_cad.h"

namespace holdfast::mutants {
namespace {

class WatchLate final : public PxCadToChange {
 public:
  using PxCadToChange::PxCadToChange;

  Task<Released> release(Caller& me, LockMode) override {
    const redis::Answer value = co_await redis::client(me).command("GET", settings().key);
    if (value.threw()) {
      co_return Released::unknown(value);
    }
    if (!value.is(request_id(me))) {
      co_return Released::refused("the key does not hold my value");
    }
    redis::Answer last = co_await redis::client(me).command("WATCH", settings().key);
    if (!last.threw()) {
      last = co_await redis::client(me).command("MULTI");
    }
    if (!last.threw()) {
      last = co_await redis::client(me).command("DEL", settings().key);
    }
    if (!last.threw()) {
      last = co_await redis::client(me).command("EXEC");
    }
    if (last.threw()) {
      co_return Released::unknown(last);
    }
    co_return last.is_nil() ? Released::refused("the key changed") : Released::done();
  }
};

class ConstantValue final : public PxCadToChange {
 public:
  using PxCadToChange::PxCadToChange;

 protected:
  const std::string& request_id(const Caller&) const override { return everybodys_; }

 private:
  const std::string everybodys_ = "locked";
};

// A pause longer than the lease while releasing, when the hold is over, is something the correct lock
// withstands. It releases with EVAL; the mutants with what they do instead.
MutantScope while_releasing() {
  MutantScope scope = within_the_lease();
  for (const char* command : {"EVAL", "GET", "WATCH", "DEL"}) {
    scope.menu.push_back(pause_at(command, 1500));
  }
  return scope;
}

}  // namespace

std::vector<MutantEntry> px_release() {
  return {
      make_entry("mutant-px-get-del", "redis-px-cad", "comparing and deleting are two commands",
                 make_redis_px_get_del, while_releasing()),
      make_entry("mutant-px-watch-late", "redis-px-cad", "the key is watched only after it was compared",
                 make_px<WatchLate>, while_releasing()),
      make_entry("mutant-px-constant-value", "redis-px-cad", "all clients write the same value",
                 make_px<ConstantValue>, while_releasing()),
  };
}

}  // namespace holdfast::mutants
