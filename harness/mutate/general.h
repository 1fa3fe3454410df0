// What can be wrong with a lock of any store.
#pragma once

#include <memory>
#include <vector>

#include "harness/mutate/lock_watch.h"

namespace holdfast {

// Those that can change something for a lock that was heard so. `no_change` is that of CallWatch.
std::vector<std::unique_ptr<Mutation>> general_mutations(const LockEntry& lock, const Heard& heard,
                                                         const std::shared_ptr<const StoreChange>& no_change);

}  // namespace holdfast
