// The zoo: all mutants, store by store, in the order of the locks they are made of.
//
// find_lock() finds them, so that `holdfast run --lock mutant-...` works; all_locks() does not list them.
#pragma once

#include <string_view>
#include <vector>

#include "locks/mutants/mutant.h"

namespace holdfast {

const std::vector<MutantEntry>& all_mutants();
// nullptr if there is none.
const MutantEntry* find_mutant(std::string_view id);

}  // namespace holdfast
