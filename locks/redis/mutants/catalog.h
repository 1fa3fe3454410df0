// The mutants of locks on Redis, in the order of the locks they are made of. locks/lookup finds them.
#pragma once

#include <vector>

#include "locks/mutants/mutant.h"

namespace holdfast {

namespace mutants {

// One file each, which says what is wrong with them.
std::vector<MutantEntry> px_acquire();
std::vector<MutantEntry> px_release();
std::vector<MutantEntry> px_wait();
std::vector<MutantEntry> value_reentrant();
std::vector<MutantEntry> hash_reentrant();
std::vector<MutantEntry> watchdog();
std::vector<MutantEntry> redlock();
std::vector<MutantEntry> rlock();
std::vector<MutantEntry> rlock_waiting();
std::vector<MutantEntry> fenced();
std::vector<MutantEntry> redisson_objects();
std::vector<MutantEntry> red();

}  // namespace mutants

std::vector<MutantEntry> redis_mutants();

}  // namespace holdfast
