#include "harness/explore/exploration/never_reached.h"

#include "harness/kernel/marks.h"
#include "harness/mutate/mutants.h"

namespace holdfast {
namespace {

// Whether a lock can come to the mark at all.
bool can_reach(const LockEntry& lock, Mark mark) {
  switch (mark) {
    case Mark::lease_ran_out:
      return lock.ttl > Duration::zero() && lock.needs.servers > 0;
    case Mark::renewal_too_late:
    case Mark::renewed:
      return lock.features.renews;
    case Mark::minority_granted:
      return lock.needs.servers > 1;
    case Mark::majority_too_late:
      return lock.reserve != nullptr;
    case Mark::woken_by_message:
      return lock.features.woken && lock.needs.servers > 0;
    case Mark::replicas_too_slow:
      return lock.needs.replicas > 0;
    case Mark::release_found_nothing:
      return lock.features.owner_checked && lock.needs.servers > 0;
    default:
      return lock.needs.servers > 0;
  }
}

}  // namespace

std::vector<std::string_view> never_reached(const std::vector<ExploredTarget>& targets) {
  std::uint64_t reached = 0;
  std::uint64_t reachable = 0;
  for (const ExploredTarget& target : targets) {
    reached |= target.result.marks;
    const LockEntry* const lock = find_lock_or_mutant(target.name.lock);
    for (const MarkEntry& entry : all_marks) {
      reachable |= lock != nullptr && can_reach(*lock, entry.mark) ? bit_of(entry.mark) : 0;
    }
  }
  std::vector<std::string_view> texts;
  for (const MarkEntry& entry : all_marks) {
    if ((reachable & ~reached & bit_of(entry.mark)) != 0) {
      texts.push_back(entry.text);
    }
  }
  return texts;
}

}  // namespace holdfast
