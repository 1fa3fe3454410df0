// Mutants of Redisson's other objects: one of their scripts, changed.
//
// mutant-fair-pops-last: who is granted the lock takes the last waiter off the queue, not itself. Shows when
//   two wait: one of them is forgotten, and the head of the queue is one that waits no more.
// mutant-rw-last-but-one: a reader that leaves deletes the lock while one other reader is in. The mode is a
//   field of the hash as well: the usual off-by-one in counting the rest. Shows when two read and one wants
//   to write.
// mutant-semaphore-one-too-many: a permit is granted at 0 left. Shows when more ask than there are permits.
// mutant-semaphore-no-publish: a release wakes nobody. Waiters have no lease to wait for: they sleep for
//   ever. mutant-latch-opens-early: the count is deleted when one is left to count down. Shows when somebody
//   awaits then.
#include "locks/redis/mutants/designs.h"
#include "locks/redis/mutants/rewritten.h"
#include "locks/redis/redisson/designs.h"

namespace holdfast::mutants {
namespace {

constexpr Rewrite fair_pops_last{"redis.call('lpop', KEYS[2])\n  redis.call('zrem', KEYS[3], ARGV[2])",
                                 "redis.call('rpop', KEYS[2])\n  redis.call('zrem', KEYS[3], ARGV[2])"};
constexpr Rewrite rw_forgets_a_reader{"redis.call('hlen', KEYS[1]) > 1", "redis.call('hlen', KEYS[1]) > 2"};
constexpr Rewrite semaphore_goes_negative{"tonumber(free) >= 1", "tonumber(free) >= 0"};
constexpr Rewrite semaphore_tells_nobody{"redis.call('publish', KEYS[2], free)", ""};
constexpr Rewrite latch_opens_early{"if count <= 0 then", "if count <= 1 then"};

std::unique_ptr<Latch> make_early_latch(LockSettings settings) {
  return std::make_unique<RewrittenLatch>(make_redisson_latch(std::move(settings)), latch_opens_early);
}

MutantScope short_pauses(std::uint32_t clients) {
  MutantScope scope;
  scope.menu = {pause_for(100), delay_by({400ms, 0})};
  scope.clients = clients;
  return scope;
}

}  // namespace

std::vector<MutantEntry> redisson_objects() {
  return {
      make_entry("mutant-fair-pops-last", "redisson-fair",
                 "who is granted takes the last waiter off the queue instead of itself",
                 make_rewritten<make_redisson_fair, fair_pops_last>, short_pauses(3)),
      make_entry("mutant-rw-last-but-one", "redisson-rw",
                 "a reader that leaves deletes the lock while another reads",
                 make_rewritten<make_redisson_rw, rw_forgets_a_reader>, short_pauses(4)),
      make_entry("mutant-semaphore-one-too-many", "redisson-semaphore",
                 "a permit is granted when none is left",
                 make_rewritten<make_redisson_semaphore, semaphore_goes_negative>, short_pauses(3)),
      make_entry("mutant-semaphore-no-publish", "redisson-semaphore", "a release wakes nobody",
                 make_rewritten<make_redisson_semaphore, semaphore_tells_nobody>, short_pauses(3)),
      make_latch_entry("mutant-latch-opens-early", "redisson-latch", "opens when one is left to count down",
                       make_early_latch, short_pauses(3)),
  };
}

}  // namespace holdfast::mutants
