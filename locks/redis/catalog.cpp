#include <array>

#include "locks/catalog.h"
#include "locks/redis/designs.h"
#include "locks/redis/needs.h"
#include "locks/redis/redlock.h"

namespace holdfast {
namespace {

constexpr Duration lease = 10s;

// All of them ask again until they are granted, and give up when the caller's patience ends. A script
// that means to check the owner claims to, even where it is printed so that it cannot run.
constexpr LockFeatures spinning{.blocking = true, .tries = true, .timed = true};
constexpr LockFeatures spinning_owned{.blocking = true, .tries = true, .timed = true, .owner_checked = true};
constexpr LockFeatures spinning_reentrant{
    .reentrant = true, .blocking = true, .tries = true, .timed = true, .owner_checked = true};
constexpr LockFeatures spinning_renewing{
    .reentrant = true, .blocking = true, .tries = true, .timed = true, .renews = true, .owner_checked = true};

constexpr LockNeeds whole_seconds = redis_servers(1, 0, 1s);
constexpr LockNeeds second_of_slack = redis_servers(1, 0, 3s);
constexpr LockNeeds five_servers = redis_servers(5);

constexpr LockEntry redis_entries[] = {
    {.id = "redis-setnx",
     .summary = "SETNX, DEL; no expiry",
     .source = "000:L129",
     .features = spinning,
     .needs = one_redis_server,
     .make = make_redis_setnx},
    {.id = "redis-setnx-expire",
     .summary = "SETNX, then EXPIRE; DEL",
     .source = "000:L134, 004:L15",
     .features = spinning,
     .needs = whole_seconds,
     .ttl = lease,
     .make = make_redis_setnx_expire},
    {.id = "redis-stamp-del",
     .summary = "SETNX a time stamp; who finds it old deletes it and tries SETNX again",
     .source = "000:L149",
     .features = spinning,
     .needs = one_redis_server,
     .ttl = lease,
     .make = make_redis_stamp_del},
    {.id = "redis-getset",
     .summary = "SETNX an expiry time; who finds it past swaps it with GETSET",
     .source = "000:L163",
     .features = spinning,
     .needs = one_redis_server,
     .ttl = lease,
     .make = make_redis_getset},
    {.id = "redis-getset-seconds",
     .summary = "the same with times in whole seconds",
     .source = "000:L238",
     .features = spinning,
     .needs = whole_seconds,
     .ttl = lease,
     .make = make_redis_getset_seconds},
    {.id = "redis-getset-null",
     .summary = "redis-getset, a null from GETSET also wins; EXPIRE given a time in milliseconds",
     .source = "000:L177",
     .features = spinning,
     .needs = second_of_slack,
     .ttl = lease,
     .make = make_redis_getset_null},
    {.id = "redis-setex",
     .summary = "SETEX, which overwrites; DEL",
     .source = "002:L102",
     .features = spinning,
     .needs = whole_seconds,
     .ttl = lease,
     .make = make_redis_setex},
    {.id = "redis-set-ex-no-nx",
     .summary = "SET EX without NX, which overwrites; DEL",
     .source = "004:L39",
     .features = spinning,
     .needs = whole_seconds,
     .ttl = lease,
     .make = make_redis_set_ex_no_nx},
    {.id = "redis-lua-000",
     .summary = "SETNX and EXPIRE in a script; an unlock script that always fails",
     .source = "000:L245",
     .features = spinning_owned,
     .needs = whole_seconds,
     .ttl = lease,
     .make = make_redis_lua_000},
    {.id = "redis-px-del",
     .summary = "SET NX PX; DEL",
     .source = "002:L239, 004:L29",
     .features = spinning,
     .needs = one_redis_server,
     .ttl = lease,
     .make = make_redis_px_del},
    {.id = "redis-px-get-del",
     .summary = "SET NX PX; GET, compare, DEL",
     .source = "002:L248, 004:L51",
     .features = spinning_owned,
     .needs = one_redis_server,
     .ttl = lease,
     .make = make_redis_px_get_del},
    {.id = "redis-px-cad",
     .summary = "SET NX PX; a script compares and deletes",
     .source = "002:L213, 004:L73",
     .features = spinning_owned,
     .needs = one_redis_server,
     .ttl = lease,
     .make = make_redis_px_cad},
    {.id = "redis-px-cad-integer",
     .summary = "the same, its answer asked for as an Integer: carried out, and an exception",
     .source = "003:L103",
     .features = spinning_owned,
     .needs = one_redis_server,
     .ttl = lease,
     .make = make_redis_px_cad_integer},
    {.id = "redis-px-cad-wait",
     .summary = "redis-px-cad, and WAIT for replicas before believing it",
     .source = "beyond the sources",
     .features = spinning_owned,
     .needs = redis_servers(1, 2),
     .ttl = lease,
     .make = make_redis_px_cad_wait},
    {.id = "redis-value-reentrant",
     .summary = "scripts; the same value re-enters, uncounted",
     .source = "002:L273",
     .features = spinning_reentrant,
     .needs = one_redis_server,
     .ttl = lease,
     .make = make_redis_value_reentrant},
    {.id = "redis-hash-reentrant",
     .summary = "scripts; a hash counts how often its holder entered",
     .source = "003:L68",
     .features = spinning_reentrant,
     .needs = whole_seconds,
     .ttl = lease,
     .make = make_redis_hash_reentrant},
    {.id = "redis-hash-reentrant-literal",
     .summary = "the same as printed, with ARG for ARGV: every acquire fails",
     .source = "003:L68",
     .features = spinning_reentrant,
     .needs = whole_seconds,
     .ttl = lease,
     .make = make_redis_hash_reentrant_literal},
    {.id = "redis-watchdog",
     .summary = "redis-hash-reentrant, renewed every third of its TTL",
     .source = "003:L91, 004:L87",
     .features = spinning_renewing,
     .needs = whole_seconds,
     .ttl = lease,
     .make = make_redis_watchdog},
    {.id = "redis-recursive-retry",
     .summary = "on failure calls itself, then does the work all the same",
     .source = "003:L61",
     .features = spinning_owned,
     .needs = one_redis_server,
     .ttl = lease,
     .make = make_redis_recursive_retry},
    {.id = "redlock-majority",
     .summary = "a majority of five servers; no look at the time",
     .source = "003:L122",
     .features = spinning_owned,
     .needs = five_servers,
     .ttl = lease,
     .make = make_redlock_majority},
    {.id = "redlock",
     .summary = "a majority of five servers while validity is left, on the monotonic clock",
     .source = "003:L122",
     .features = spinning_owned,
     .needs = five_servers,
     .ttl = lease,
     .reserve = redlock_drift,
     .make = make_redlock},
    {.id = "redlock-wall",
     .summary = "the same on the wall clock",
     .source = "003:L122",
     .features = spinning_owned,
     .needs = five_servers,
     .ttl = lease,
     .reserve = redlock_drift,
     .make = make_redlock_wall},
};

}  // namespace

std::span<const LockEntry> redisson_locks();

std::span<const LockFamily> redis_families() {
  static const std::array families{LockFamily{"redis", redis_entries},
                                   LockFamily{"redisson", redisson_locks()}};
  return families;
}

}  // namespace holdfast
