// How the catalog makes each of Redisson's objects; what they are stands in the file of each.
#pragma once

#include <memory>

#include "locks/lock.h"

namespace holdfast {

std::unique_ptr<Lock> make_redisson_rlock(LockSettings settings);
std::unique_ptr<Lock> make_redisson_rlock_004(LockSettings settings);
std::unique_ptr<Lock> make_redisson_rlock_lease(LockSettings settings);
std::unique_ptr<Lock> make_redisson_rlock_try_lease(LockSettings settings);
std::unique_ptr<Lock> make_redisson_fair(LockSettings settings);
std::unique_ptr<Lock> make_redisson_fair_pttl(LockSettings settings);
std::unique_ptr<Lock> make_redisson_multi(LockSettings settings);
std::unique_ptr<Lock> make_redisson_red(LockSettings settings);
std::unique_ptr<Lock> make_redisson_rw(LockSettings settings);
std::unique_ptr<Lock> make_redisson_semaphore(LockSettings settings);
std::unique_ptr<Latch> make_redisson_latch(LockSettings settings);
std::unique_ptr<Lock> make_redisson_fenced(LockSettings settings);
std::unique_ptr<Lock> make_redisson_fenced_gettoken(LockSettings settings);

}  // namespace holdfast
