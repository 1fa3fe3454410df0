// mutant-red-minority, of redisson-red.
//
// As many locks may fail as make a majority, where a minority is meant: two of five are enough. Shows when a
// server's answer is lost to a client that has two already: it is content, and another gets the three that
// are left. The correct lock goes on to the next server.
#include <algorithm>

#include "locks/redis/mutants/designs.h"
#include "locks/redis/redisson/multi.h"

namespace holdfast::mutants {
namespace {

class RedMinority final : public redisson::MultiLock {
 public:
  using MultiLock::MultiLock;

  Task<Released> release(Caller& me, LockMode /*mode*/) override {
    co_await unlock_all(me);
    co_return Released::done();
  }

 protected:
  std::size_t failed_locks_limit() const override { return lock_count() / 2 + 1; }
  Duration lock_wait_time(Duration wait) const override {
    return std::max<Duration>(wait / static_cast<std::int64_t>(lock_count()), 1ms);
  }
};

std::unique_ptr<Lock> make_red_minority(LockSettings settings) {
  return std::make_unique<RedMinority>(std::move(settings));
}

}  // namespace

std::vector<MutantEntry> red() {
  MutantScope scope;
  scope.menu = {pause_for(50), lost_reply(), crash()};
  scope.work = of_lease(300);  // long enough for another to give up on the servers that are taken
  return {make_entry("mutant-red-minority", "redisson-red", "two of five servers are enough",
                     make_red_minority, scope)};
}

}  // namespace holdfast::mutants
