#include "locks/catalog.h"

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

}  // namespace holdfast
