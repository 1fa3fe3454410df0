// The zoo: all mutants, in the order of the locks they are made of.
//
// locks/lookup finds them, so that `holdfast run --lock mutant-...` works; all_locks() does not list them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "locks/redis/mutants/mutant.h"

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

std::span<const MutantEntry> all_mutants();
// nullptr if there is none.
const MutantEntry* find_mutant(std::string_view id);

}  // namespace holdfast
