// redisson-rlock-004 (004:L138–285): the RLock of rlock.cpp with the renewal exactly as that page prints
// it: "Can't update lock expiration", and the entry leaves the map. It is that of a release after 3.20 and
// before 3.44, whose timers end with the hold they were set for.
//
// Known to get wrong, beside all that redisson-rlock does:
// - One renewal that throws is the last one. A cut of a few seconds at a tick costs the lock two thirds
//   of a lease later, long after the network is well again.
// - The renewal asks for the first thread of its process only, and a 0 removes the entry of all: after
//   one thread lost the lock, the next thread of that process to get it is not renewed either.
#include <memory>
#include <utility>

#include "locks/redis/redisson/designs.h"
#include "locks/redis/redisson/rlock.h"

namespace holdfast {

std::unique_ptr<Lock> make_redisson_rlock_004(LockSettings settings) {
  return std::make_unique<redisson::RLock>(
      std::move(settings), redisson::RLockOptions{.renewal = redisson::RenewalStyle::as_printed_in_004});
}

}  // namespace holdfast
