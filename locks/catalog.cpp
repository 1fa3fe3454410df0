#include "locks/catalog.h"

#include "harness/stores/list.h"

namespace holdfast {

#define HOLDFAST_DECLARE_FAMILIES(id) std::span<const LockFamily> id##_families();
HOLDFAST_STORES(HOLDFAST_DECLARE_FAMILIES)
#undef HOLDFAST_DECLARE_FAMILIES

const std::vector<LockFamily>& lock_families() {
  static const std::vector<LockFamily> families = [] {
    std::vector<LockFamily> all;
    const auto add = [&](std::span<const LockFamily> of_store) {
      all.insert(all.end(), of_store.begin(), of_store.end());
    };
#define HOLDFAST_ADD_FAMILIES(id) add(id##_families());
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

}  // namespace holdfast
