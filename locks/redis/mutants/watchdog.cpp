// Mutants of redis-watchdog: its renewal, changed.
//
// mutant-watchdog-recreates: the renewal sets the field and the expiry, whether or not the lock is there.
//   Seen where renewing is "SET again". Shows when a renewal arrives after the unlock: the lock is taken
//   again by nobody, for a whole lease, or stands beside the successor's field and lets its owner in.
// mutant-watchdog-outlives-unlock: unlocking does not stop the timer, and the renewal is a plain EXPIRE.
//   Shows when a later holder dies: the timer of who unlocked long ago keeps its lock alive for ever.
// mutant-watchdog-late: renews when half a second is left, not when two thirds are. Shows when the work is
//   longer than the lease and something holds the renewal up by half a second.
//
// The correct lock survives short pauses and late messages; after a crash its lease must run out.
#include "locks/redis/watchdog.h"

#include "locks/redis/designs.h"
#include "locks/redis/mutants/designs.h"
#include "locks/redis/mutants/rewritten.h"

namespace holdfast::mutants {
namespace {

constexpr Rewrite renewal_recreates{
    watchdog_renew_script,
    "redis.call('hset',KEYS[1],ARGV[1],1) return redis.call('expire',KEYS[1],ARGV[2])"};
constexpr Rewrite renewal_of_anybody{watchdog_renew_script, "return redis.call('expire',KEYS[1],ARGV[2])"};

class NeverStops final : public Watchdog {
 public:
  using Watchdog::Watchdog;

 protected:
  void on_gone(Caller&) override {}
};

std::unique_ptr<Lock> make_never_stops(LockSettings settings) {
  return std::make_unique<NeverStops>(std::move(settings));
}

class LateWatchdog final : public Watchdog {
 public:
  using Watchdog::Watchdog;

 protected:
  Duration renewal_interval() const override { return settings().ttl - 500ms; }
};

std::unique_ptr<Lock> make_late_watchdog(LockSettings settings) {
  return std::make_unique<LateWatchdog>(std::move(settings));
}

// Work ends shortly after a third of the lease, when the first renewal is on its way.
MutantScope late_renewal() {
  MutantScope scope;
  scope.menu = {pause_for(100), delay_by({400ms, 0})};
  scope.rounds = 2;
  scope.work = of_lease(350);
  scope.entitled = Letter::safe;
  return scope;
}

MutantScope dying_holder() {
  MutantScope scope;
  scope.menu = {pause_for(200), crash(), crash_and_restart()};
  scope.work = of_lease(350);
  return scope;
}

MutantScope long_work() {
  MutantScope scope;
  scope.menu = {pause_for(100), delay_by({400ms, 0}), crash()};
  scope.work = of_lease(1500);
  return scope;
}

}  // namespace

std::vector<MutantEntry> watchdog() {
  return {
      make_entry("mutant-watchdog-recreates", "redis-watchdog",
                 "a renewal takes the lock again that was unlocked meanwhile",
                 make_rewritten<make_redis_watchdog, renewal_recreates>, late_renewal()),
      make_entry("mutant-watchdog-outlives-unlock", "redis-watchdog",
                 "unlocking does not stop the timer, which renews whosever lock it finds",
                 make_rewritten<make_never_stops, renewal_of_anybody>, dying_holder()),
      make_entry("mutant-watchdog-late", "redis-watchdog", "renews when half a second of the lease is left",
                 make_late_watchdog, long_work()),
  };
}

}  // namespace holdfast::mutants
