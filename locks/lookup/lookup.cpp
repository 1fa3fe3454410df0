#include "locks/lookup/lookup.h"

#include <algorithm>

#include "harness/text/bad_input.h"
#include "locks/mutants/catalog.h"

namespace holdfast {

std::vector<const LockEntry*> every_lock() {
  std::vector<const LockEntry*> locks;
  for (const LockEntry& lock : all_locks()) {
    locks.push_back(&lock);
  }
  for (const MutantEntry& mutant : all_mutants()) {
    locks.push_back(&mutant.lock);
  }
  return locks;
}

std::vector<std::string> lock_ids() {
  std::vector<std::string> ids;
  for (const LockEntry& lock : all_locks()) {
    ids.emplace_back(lock.id);
  }
  return ids;
}

std::vector<std::string> mutant_ids() {
  std::vector<std::string> ids;
  for (const MutantEntry& mutant : all_mutants()) {
    ids.emplace_back(mutant.lock.id);
  }
  return ids;
}

const LockEntry* find_lock(std::string_view id) {
  const auto lock = std::ranges::find(all_locks(), id, &LockEntry::id);
  if (lock != all_locks().end()) {
    return &*lock;
  }
  const MutantEntry* const mutant = find_mutant(id);
  return mutant == nullptr ? nullptr : &mutant->lock;
}

const LockEntry& lock_called(const std::string& id) {
  const LockEntry* const lock = find_lock(id);
  if (lock == nullptr) {
    const bool is_mutant = id.starts_with("mutant");
    throw unknown_word("lock", id, is_mutant ? mutant_ids() : lock_ids(),
                       is_mutant ? "holdfast list mutants" : "holdfast list locks");
  }
  return *lock;
}

}  // namespace holdfast
