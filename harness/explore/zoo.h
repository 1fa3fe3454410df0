// Looking for mutants (locks/mutants): how many runs a strategy needs to find each, and that it finds nothing
// in the correct lock.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/explore/campaign.h"
#include "locks/mutants/catalog.h"

namespace holdfast {

// The scope of the mutant, with the mutant itself or with the correct lock in it.
ExploreTarget mutant_target(const MutantEntry& mutant, const LockEntry& lock, const ExplorerEntry& explorer);

struct MutantSearch {
  std::uint64_t runs = 0;                 // that were made, the one that found it among them
  std::optional<ExploreFinding> finding;  // that accuses the lock
};

// Up to `runs` runs, or fewer if the strategy knows no more.
MutantSearch search_mutant(Simulation& simulation, const MutantEntry& mutant, const LockEntry& lock,
                           const ExplorerEntry& explorer, std::uint64_t runs);

}  // namespace holdfast
