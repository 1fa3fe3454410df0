// Mutants of redisson-rlock: one of its scripts, changed.
//
// mutant-rlock-no-publish: unlock deletes the lock and tells nobody. Shows whenever somebody waits: it sleeps
//   for the lease that it saw.
// mutant-rlock-no-owner-check: unlock counts down without a look whether the field is there. Shows when an
//   unlock arrives after its lease ran out.
// mutant-rlock-counter: the lock is deleted when one level is left. Shows when a thread locks twice.
// mutant-rlock-renews-in-seconds: the renewal gives PEXPIRE a number of seconds. Shows when the work is
// longer
//   than the lease: the lock is gone 30 ms after the first renewal.
#include "locks/redis/mutants/designs.h"
#include "locks/redis/mutants/rewritten.h"
#include "locks/redis/redisson/designs.h"

namespace holdfast::mutants {
namespace {

constexpr Rewrite rlock_tells_nobody{"redis.call('del', KEYS[1])\nredis.call('publish', KEYS[2], ARGV[3])",
                                     "redis.call('del', KEYS[1])"};

constexpr Rewrite rlock_asks_nobody{R"(if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then
  return nil
end
if redis.call('hincrby')",
                                    "if redis.call('hincrby'"};

constexpr Rewrite rlock_deletes_one_early{"redis.call('hincrby', KEYS[1], ARGV[2], -1) > 0",
                                          "redis.call('hincrby', KEYS[1], ARGV[2], -1) > 1"};

constexpr Rewrite rlock_renews_in_seconds{"redis.call('pexpire', KEYS[1], ARGV[1]); ",
                                          "redis.call('pexpire', KEYS[1], ARGV[1] / 1000); "};

MutantScope waiting() {
  MutantScope scope;
  scope.menu = {pause_for(100), delay_by({400ms, 0})};
  scope.rounds = 2;
  scope.entitled = Letter::safe;
  return scope;
}

MutantScope late_rlock_unlock() {
  MutantScope scope;
  scope.menu = {pause_for(100), crash(), lost_reply(), delay_of("EVAL", of_lease(1200))};
  scope.work = of_lease(400);
  return scope;
}

MutantScope twice_entered() {
  MutantScope scope;
  scope.menu = {pause_for(100), crash(), crash_and_restart()};
  scope.workload = "reentrant";
  return scope;
}

MutantScope renewed_work() {
  MutantScope scope;
  scope.menu = {pause_for(100), crash(), lost_reply()};
  scope.work = of_lease(1500);  // who waits looks again when the lease that it saw has ended
  return scope;
}

}  // namespace

std::vector<MutantEntry> rlock() {
  return {
      make_entry("mutant-rlock-no-publish", "redisson-rlock", "unlock wakes nobody",
                 make_rewritten<make_redisson_rlock, rlock_tells_nobody>, waiting()),
      make_entry("mutant-rlock-no-owner-check", "redisson-rlock", "unlock does not look whose lock it is",
                 make_rewritten<make_redisson_rlock, rlock_asks_nobody>, late_rlock_unlock()),
      make_entry("mutant-rlock-counter", "redisson-rlock", "the lock is deleted when one level of it is left",
                 make_rewritten<make_redisson_rlock, rlock_deletes_one_early>, twice_entered()),
      make_entry("mutant-rlock-renews-in-seconds", "redisson-rlock",
                 "the renewal takes the lease in seconds for one in milliseconds",
                 make_rewritten<make_redisson_rlock, rlock_renews_in_seconds>, renewed_work()),
  };
}

}  // namespace holdfast::mutants
