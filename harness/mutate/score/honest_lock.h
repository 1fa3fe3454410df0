// What the lock itself does, before anything is wrong with it: only what is worse kills a mutant.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "harness/explore/campaign.h"
#include "harness/explore/sweep.h"
#include "harness/explore/target.h"

namespace holdfast {

// How mutants are looked for by exploration: the stock scenario and all faults of all families.
struct StockExploration {
  const ExplorerEntry* explorer = nullptr;
  Scenario scenario;
  std::vector<FaultSpec> menu;
  std::uint64_t runs = 0;  // of a mutant
  std::uint32_t clients = 0;
  std::uint32_t most_faults = 0;

  ExploreTarget target(const LockEntry& lock) const;
};

// Faults that a run had, without how many and when: "crash", "clock-jump-forward of a server".
using FaultKinds = std::set<std::string>;
FaultKinds kinds_of(const std::vector<FaultSpec>& faults);

class HonestLock {
 public:
  HonestLock(Simulation& simulation, const LockEntry& lock, const std::vector<Scenario>& families,
             const StockExploration& exploration);

  // Of each family, in order.
  Letter letter(std::size_t family) const { return cells_[family].letter; }
  std::uint64_t matrix_runs() const { return matrix_runs_; }
  // Whether the lock itself comes to something as bad under some of these faults.
  bool can_come_to(Letter letter, const FaultKinds& kinds) const;

 private:
  struct Weakness {
    Letter letter;
    FaultKinds kinds;
  };
  std::vector<Cell> cells_;
  std::vector<Weakness> weaknesses_;
  std::uint64_t matrix_runs_ = 0;
};

}  // namespace holdfast
