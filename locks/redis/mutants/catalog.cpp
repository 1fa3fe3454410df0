#include "locks/redis/mutants/catalog.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace holdfast {

std::span<const MutantEntry> all_mutants() {
  static const std::vector<MutantEntry> zoo = [] {
    std::vector<MutantEntry> all;
    for (const auto family :
         {mutants::px_acquire, mutants::px_release, mutants::px_wait, mutants::value_reentrant,
          mutants::hash_reentrant, mutants::watchdog, mutants::redlock, mutants::rlock,
          mutants::rlock_waiting, mutants::fenced, mutants::redisson_objects, mutants::red}) {
      std::ranges::move(family(), std::back_inserter(all));
    }
    return all;
  }();
  return zoo;
}

const MutantEntry* find_mutant(std::string_view id) {
  const auto found =
      std::ranges::find(all_mutants(), id, [](const MutantEntry& entry) { return entry.lock.id; });
  return found == all_mutants().end() ? nullptr : &*found;
}

}  // namespace holdfast
