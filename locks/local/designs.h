// The local designs: one factory each. Their files say where they come from and what they get wrong.
#pragma once

#include <memory>

#include "locks/lock.h"

namespace holdfast {

std::unique_ptr<Lock> make_local_mutex(LockSettings settings);
std::unique_ptr<Lock> make_local_mutex_per_instance(LockSettings settings);
std::unique_ptr<Lock> make_file_lock(LockSettings settings);
std::unique_ptr<Lock> make_file_lock_excl(LockSettings settings);

}  // namespace holdfast
