// redis-px-cad as a base of mutants, and the faults that it withstands.
#pragma once

#include <memory>
#include <utility>

#include "locks/mutants/mutant.h"
#include "locks/redis/px_lock.h"
#include "locks/redis/unlock.h"

namespace holdfast::mutants {

class PxCadToChange : public PxLock {
 public:
  using PxLock::PxLock;

  Task<Released> release(Caller& me, LockMode) override {
    return unlock_by_compare_and_delete(me, settings().key, request_id(me));
  }
};

template <typename Mutant>
std::unique_ptr<Lock> make_px(LockSettings settings) {
  return std::make_unique<Mutant>(std::move(settings));
}

// Two pauses and the work together are shorter than the lease. What is asked of Redis may be late by more
// than a lease: every request has a value of its own, so it does no harm then.
inline MutantScope within_the_lease() {
  MutantScope scope;
  scope.menu = {pause_for(200), crash(), crash_and_restart(), lost_reply(), reset()};
  for (const char* command : {"SET", "SETNX", "PEXPIRE", "EVAL", "GET", "DEL"}) {
    scope.menu.push_back(delay_of(command, of_lease(1500)));
  }
  scope.rounds = 2;
  scope.work = of_lease(200);
  return scope;
}

}  // namespace holdfast::mutants
