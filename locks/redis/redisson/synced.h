// A script, and behind it WAIT for the replicas: how Redisson sends what must not be lost with a primary
// (evalWriteSyncedAsync, 004:L278–282), unless it is told not to.
//
// Releases 3.20 to 3.45 and 4.7.0 do so where there are replicas (3.50.0 does not). It waits a second, for as
// many replicas as it is connected to then; one of them is enough. If none has it, that is an exception, and
// locking and unlocking are then tried four times more.
//
// Deviation: Redisson sends the two together, here WAIT follows the script's answer, a round trip later.
#pragma once

#include <cstddef>
#include <string_view>

#include "harness/env/env.h"
#include "locks/redis/client.h"

namespace holdfast::redisson {

struct Synced {
  redis::Answer answer;    // the script's; or that of WAIT, if WAIT failed
  bool is_written = true;  // some replica has it, or there is none

  // For whoever takes both for an exception.
  redis::Answer or_exception() &&;
};

// Why nothing came of it, as the exception says it.
inline constexpr std::string_view no_replica_has_it = "no replica has it";

Task<Synced> evaluate_synced(redis::Client& connection, redis::Command script);
// Once more: for a script that was carried out, and that no replica had in time.
Task<bool> wait_for_replicas(redis::Client& connection);

// What is tried again, and how long Redisson waits before that.
inline constexpr std::size_t most_tries = 5;
Task<> pause_before_next_try(Env& env);

}  // namespace holdfast::redisson
