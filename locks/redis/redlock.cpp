// redlock: lock several independent servers in turn; a majority, in good time, wins.
// redlock-wall: the same, measuring that time on the wall clock.
//
// Origin: 003:L122 names the algorithm; the steps are those of "Distributed Locks with Redis" in the
// Redis documentation.
// Idea: 1. note the time; 2. SET NX PX on each server in turn, waiting for each only a small part of the
// TTL; 3. the lock is mine if a majority said OK and validity = TTL - elapsed - drift is positive, where
// drift = TTL/100 + 2 ms allows for clocks that run unevenly; 4. else release on all servers, also on
// those that seemed to refuse, and try again after a random delay.
// Known to get wrong: nothing stops a holder that is paused past its validity, and there is no fencing
// token to tell it from its successor; a server that restarts without its keys, or whose clock jumps
// ahead, votes twice; a reply that the client reads late, after it checked the time, is worthless. On the
// wall clock a step back during the acquire makes an expired lock look valid.
#include "locks/redis/redlock.h"

#include <algorithm>

#include "locks/redis/client.h"
#include "locks/redis/designs.h"
#include "locks/redis/ttl.h"
#include "locks/redis/unlock.h"

namespace holdfast {

Task<Acquired> Redlock::try_once(Caller& me, AcquireRequest) {
  const Duration ttl = settings().ttl;
  const Duration start = now(me);
  Grants grants;
  for (std::size_t server = 0; server < me.servers(); ++server) {
    redis::Command set =
        redis::make_command("SET", settings().key, request_id(me), "NX", "PX", ttl_milliseconds(ttl));
    const redis::Answer answer =
        co_await redis::client(me, server).execute_within(std::move(set), server_timeout());
    grants.push_back(is_grant(answer));
  }
  const Duration elapsed = now(me) - start;
  const Duration validity = ttl - elapsed - redlock_drift(ttl);
  const auto locked = static_cast<std::size_t>(std::ranges::count(grants, true));
  const bool majority = locked >= quorum(me.servers());
  if (majority && is_valid(validity)) {
    co_return Acquired::granted();
  }
  if (locked > 0) {
    me.env.mark(majority ? Mark::majority_too_late : Mark::minority_granted);
  }
  co_await give_back(me, std::move(grants));
  co_return Acquired::busy(majority ? "no validity left" : "no majority");
}

Task<Released> Redlock::release(Caller& me, LockMode) {
  return unlock_everywhere(me, settings().key, request_id(me), server_timeout());
}

Task<> Redlock::give_back(Caller& me, Grants) {
  co_await release(me, LockMode::exclusive);
}

// The documentation suggests some 5 to 50 ms for a TTL of 10 s; this is the upper end, in proportion.
Duration Redlock::server_timeout() const {
  return std::max<Duration>(settings().ttl / 200, 5ms);
}

std::unique_ptr<Lock> make_redlock(LockSettings settings) {
  return std::make_unique<Redlock>(std::move(settings));
}

std::unique_ptr<Lock> make_redlock_wall(LockSettings settings) {
  return std::make_unique<Redlock>(std::move(settings), ClockKind::wall);
}

}  // namespace holdfast
