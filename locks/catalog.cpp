#include "locks/catalog.h"

#include "harness/stores/list.h"
#include "locks/redis/mutants/catalog.h"

namespace holdfast {

#define HOLDFAST_DECLARE_FAMILIES(id) std::span<const LockFamily> id##_families();
HOLDFAST_STORES(HOLDFAST_DECLARE_FAMILIES)
#undef HOLDFAST_DECLARE_FAMILIES

const std::vector<LockFamily>& lock_families() {
  static const std::vector<LockFamily> families = [] {
    std::vector<LockFamily> all;
#define HOLDFAST_ADD_FAMILIES(id) \
  for (const LockFamily& family : id##_families()) all.push_back(family);
    HOLDFAST_STORES(HOLDFAST_ADD_FAMILIES)
#undef HOLDFAST_ADD_FAMILIES
    return all;
  }();
  return families;
}

const std::vector<LockEntry>& all_locks() {
  static const std::vector<LockEntry> locks = [] {
    std::vector<LockEntry> all;
    for (const LockFamily& family : lock_families()) {
      all.insert(all.end(), family.locks.begin(), family.locks.end());
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
