#include <algorithm>
#include <iterator>
#include <vector>

#include "locks/redis/mutants/designs.h"

namespace holdfast {

std::vector<MutantEntry> redis_mutants() {
  std::vector<MutantEntry> all;
  for (const auto family :
       {mutants::px_acquire, mutants::px_release, mutants::px_wait, mutants::value_reentrant,
        mutants::hash_reentrant, mutants::watchdog, mutants::redlock, mutants::rlock, mutants::rlock_waiting,
        mutants::fenced, mutants::redisson_objects, mutants::red}) {
    std::ranges::move(family(), std::back_inserter(all));
  }
  return all;
}

}  // namespace holdfast
