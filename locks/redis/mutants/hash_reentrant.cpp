// Mutants of redis-hash-reentrant: its unlock script, changed.
//
// mutant-hash-counter: the lock is deleted when one level is left, not none. Shows when a thread locks twice
//   and another asks while it works on under its outer lock, which is gone. It takes no fault.
// mutant-hash-no-owner-check: the script counts down without a look whether the field is there. Seen where
//   the check was left to the client. Shows when an unlock arrives after its lease ran out: what it deletes
//   is the successor's.
#include "locks/redis/designs.h"
#include "locks/redis/mutants/designs.h"
#include "locks/redis/mutants/rewritten.h"

namespace holdfast::mutants {
namespace {

constexpr Rewrite hash_deletes_one_early{"ARGV[1], -1) == 0", "ARGV[1], -1) <= 1"};

constexpr Rewrite hash_asks_nobody{R"(if redis.call('hexists',KEYS[1],ARGV[1]) == 0
then
    return nil
elseif redis.call('hincrby',KEYS[1],ARGV[1], -1) == 0)",
                                   "if redis.call('hincrby',KEYS[1],ARGV[1], -1) <= 0"};

// The field is the thread's name, so an unlock that arrives in a later round of the same thread would count:
// one round, and late messages only where nobody enters twice.
MutantScope entering_twice() {
  MutantScope scope;
  scope.menu = {pause_for(200), crash(), crash_and_restart()};
  scope.workload = "reentrant";
  return scope;
}

// Work takes 4 s of a lease of 10 s; an unlock that is 8 s late arrives when the successor is at work and a
// third one waits.
MutantScope late_unlock() {
  MutantScope scope;
  scope.menu = {pause_for(200), crash(), lost_reply(), delay_of("EVAL", of_lease(800))};
  scope.work = of_lease(400);
  return scope;
}

}  // namespace

std::vector<MutantEntry> hash_reentrant() {
  return {
      make_entry("mutant-hash-counter", "redis-hash-reentrant",
                 "the lock is deleted when one level of it is left",
                 make_rewritten<make_redis_hash_reentrant, hash_deletes_one_early>, entering_twice()),
      make_entry("mutant-hash-no-owner-check", "redis-hash-reentrant",
                 "unlock does not look whose lock it is",
                 make_rewritten<make_redis_hash_reentrant, hash_asks_nobody>, late_unlock()),
  };
}

}  // namespace holdfast::mutants
