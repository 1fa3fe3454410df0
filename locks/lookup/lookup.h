// Finds the lock that somebody named: one of the catalog, or a mutant.
//
// Stands above the locks, because the catalog does not list mutants: whoever asks for all locks means those
// that people use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "locks/catalog.h"

namespace holdfast {

// All of the catalog, then the mutants.
std::vector<const LockEntry*> every_lock();
std::vector<std::string> lock_ids();  // without the mutants
std::vector<std::string> mutant_ids();

// nullptr if there is none.
const LockEntry* find_lock(std::string_view id);
// Throws BadInput with a "did you mean".
const LockEntry& lock_called(const std::string& id);

}  // namespace holdfast
