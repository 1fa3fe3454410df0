#include "locks/catalog.h"

#include "locks/redis/mutants/catalog.h"

namespace holdfast {

const std::vector<LockEntry>& all_locks() {
  static const std::vector<LockEntry> locks = [] {
    std::vector<LockEntry> all;
    for (const std::span<const LockEntry> family : {local_locks(), redis_locks(), redisson_locks()}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    return all;
  }();
  return locks;
}

const LockEntry* find_lock(std::string_view id) {
  for (const LockEntry& entry : all_locks()) {
    if (entry.id == id) {
      return &entry;
    }
  }
  const MutantEntry* const mutant = find_mutant(id);
  return mutant == nullptr ? nullptr : &mutant->lock;
}

}  // namespace holdfast
