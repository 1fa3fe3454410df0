// mutant-px-wait-counts-primary, of redis-px-cad-wait.
//
// The quorum is off by one: "two copies" is meant to be the primary's and one replica's, but WAIT counts
// replicas alone, and asking it for one copy less is asking for none. Shows when the primary dies before its
// replicas have the key. The correct lock waits for a replica first, and the replica that takes over has it.
#include <algorithm>

#include "locks/redis/client.h"
#include "locks/redis/mutants/designs.h"
#include "locks/redis/mutants/px_cad.h"

namespace holdfast::mutants {
namespace {

constexpr Duration copies_timeout = 1s;

class WaitCountsPrimary final : public PxCadToChange {
 public:
  using PxCadToChange::PxCadToChange;

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest request) override {
    Acquired set = co_await PxLock::try_once(me, request);
    if (!set.ok()) {
      co_return set;
    }
    const std::int64_t copies = std::max<std::int64_t>(1, settings().wait_replicas);
    const redis::Answer acknowledged = co_await redis::client(me).execute_within(
        redis::make_command("WAIT", copies - 1, to_milliseconds(copies_timeout)), 2 * copies_timeout);
    if (!acknowledged.threw() && acknowledged.reply.number >= copies - 1) {
      co_return Acquired::granted();
    }
    const Released undone = co_await release(me, request.mode);
    co_return undone.outcome == Released::Outcome::unknown ? Acquired::unknown(undone.problem)
                                                           : Acquired::busy("too few copies");
  }
};

}  // namespace

std::vector<MutantEntry> px_wait() {
  MutantScope scope;
  scope.menu = {failover(), pause_for(200)};
  scope.most_faults = 1;
  return {make_entry("mutant-px-wait-counts-primary", "redis-px-cad-wait",
                     "WAIT is asked for one replica less than needed", make_px<WaitCountsPrimary>, scope)};
}

}  // namespace holdfast::mutants
