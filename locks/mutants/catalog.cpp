#include "locks/mutants/catalog.h"

#include <algorithm>

#include "harness/stores/list.h"

namespace holdfast {

#define HOLDFAST_DECLARE_MUTANTS(id) std::vector<MutantEntry> id##_mutants();
HOLDFAST_STORES(HOLDFAST_DECLARE_MUTANTS)
#undef HOLDFAST_DECLARE_MUTANTS

const std::vector<MutantEntry>& all_mutants() {
  static const std::vector<MutantEntry> mutants = [] {
    std::vector<MutantEntry> all;
    const auto add = [&](std::vector<MutantEntry> of_store) {
      std::ranges::move(of_store, std::back_inserter(all));
    };
#define HOLDFAST_ADD_MUTANTS(id) add(id##_mutants());
    HOLDFAST_STORES(HOLDFAST_ADD_MUTANTS)
#undef HOLDFAST_ADD_MUTANTS
    return all;
  }();
  return mutants;
}

const MutantEntry* find_mutant(std::string_view id) {
  const auto found =
      std::ranges::find(all_mutants(), id, [](const MutantEntry& each) { return each.lock.id; });
  return found == all_mutants().end() ? nullptr : &*found;
}

}  // namespace holdfast
