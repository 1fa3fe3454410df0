#include "locks/catalog.h"

#include <array>

#include "locks/redis/needs.h"
#include "locks/redis/redisson/designs.h"

namespace holdfast {

namespace {

// lockWatchdogTimeout.
constexpr Duration watchdog_lease = 30s;

// What every RLock claims.
constexpr LockFeatures rlock_features{.reentrant = true,
                                      .blocking = true,
                                      .tries = true,
                                      .timed = true,
                                      .woken = true,
                                      .renews = true,
                                      .owner_checked = true};

constexpr LockFeatures with_fixed_lease(LockFeatures features) {
  features.renews = false;
  return features;
}
constexpr LockFeatures with_fairness(LockFeatures features) {
  features.fair = true;
  return features;
}
// Owners are checked on each server, but a release is reported as done whatever they said.
constexpr LockFeatures with_silent_release(LockFeatures features) {
  features.owner_checked = false;
  return features;
}
constexpr LockFeatures with_token(LockFeatures features) {
  features.token = true;
  return features;
}

constexpr LockFeatures waiting_features{.blocking = true, .tries = true, .timed = true, .woken = true};

constexpr auto entries = std::to_array<LockEntry>({
    {.id = "redisson-rlock",
     .summary = "Redisson 4.7's RLock: hash per thread, pub/sub wake-up, a watchdog that retries",
     .source = "004:L138–285",
     .features = rlock_features,
     .needs = one_redis_server,
     .ttl = watchdog_lease,
     .make = make_redisson_rlock},
    {.id = "redisson-rlock-004",
     .summary = "that of releases before 3.44: the watchdog stops after one failed renewal, as printed",
     .source = "004:L138–285",
     .features = rlock_features,
     .needs = one_redis_server,
     .ttl = watchdog_lease,
     .make = make_redisson_rlock_004},
    {.id = "redisson-rlock-lease",
     .summary = "RLock with a lease the caller names, so no watchdog",
     .source = "004:L123",
     .features = with_fixed_lease(rlock_features),
     .needs = one_redis_server,
     .ttl = 10s,
     .make = make_redisson_rlock_lease},
    {.id = "redisson-rlock-try-lease",
     .summary = "tryLock(10, 30, SECONDS): the same for 30 s, and who waits 10 s gives up",
     .source = "004:L126",
     .features = with_fixed_lease(rlock_features),
     .needs = one_redis_server,
     .ttl = 30s,
     .make = make_redisson_rlock_try_lease},
    {.id = "redisson-fair",
     .summary = "RLock with a queue of waiters, each with a time at which it is taken for dead; up to 3.29",
     .source = "003:L143",
     .features = with_fairness(rlock_features),
     .needs = one_redis_server,
     .ttl = watchdog_lease,
     .make = make_redisson_fair},
    {.id = "redisson-fair-pttl",
     .summary = "the same, where a queued waiter sleeps for what the lease has left, as 4.7 has it",
     .source = "003:L143, and beyond the sources",
     .features = with_fairness(rlock_features),
     .needs = one_redis_server,
     .ttl = watchdog_lease,
     .make = make_redisson_fair_pttl},
    {.id = "redisson-multi",
     .summary = "an RLock on each of several servers; all must be got",
     .source = "003:L149",
     .features = rlock_features,
     .needs = redis_servers(3),
     .ttl = watchdog_lease,
     .make = make_redisson_multi},
    {.id = "redisson-red",
     .summary = "an RLock on each of several servers; a majority is enough",
     .source = "003:L151",
     .features = with_silent_release(rlock_features),
     .needs = redis_servers(5),
     .ttl = watchdog_lease,
     .make = make_redisson_red},
    {.id = "redisson-rw",
     .summary = "read-write lock: one hash with a mode, and a timeout key for each hold of a reader",
     .source = "003:L153",
     .kind = LockKind::read_write,
     .features = rlock_features,
     .needs = one_redis_server,
     .ttl = watchdog_lease,
     .make = make_redisson_rw},
    {.id = "redisson-semaphore",
     .summary = "a counter of permits that nobody owns, with pub/sub wake-up",
     .source = "003:L160",
     .kind = LockKind::semaphore,
     .features = waiting_features,
     .needs = one_redis_server,
     .make = make_redisson_semaphore},
    {.id = "redisson-latch",
     .summary = "a counter that opens at zero, with pub/sub wake-up",
     .source = "003:L167",
     .kind = LockKind::latch,
     .features = waiting_features,
     .needs = one_redis_server,
     .make_latch = make_redisson_latch},
    {.id = "redisson-fenced",
     .summary = "RLock that hands out a token, incremented by the script that grants",
     .source = "beyond the sources",
     .features = with_token(rlock_features),
     .needs = one_redis_server,
     .ttl = watchdog_lease,
     .make = make_redisson_fenced},
    {.id = "redisson-fenced-gettoken",
     .summary = "the same, but the token is read after the grant, with a command of its own",
     .source = "beyond the sources",
     .features = with_token(rlock_features),
     .needs = one_redis_server,
     .ttl = watchdog_lease,
     .make = make_redisson_fenced_gettoken},
});

}  // namespace

std::span<const LockEntry> redisson_locks() {
  return entries;
}

}  // namespace holdfast
