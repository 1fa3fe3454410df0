// The mutants of the locks on Redis, one file each, which says what is wrong with them.
#pragma once

#include <vector>

#include "locks/mutants/mutant.h"

namespace holdfast::mutants {

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

}  // namespace holdfast::mutants
