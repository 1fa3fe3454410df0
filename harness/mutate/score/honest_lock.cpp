#include "harness/mutate/score/honest_lock.h"

#include <algorithm>

#include "harness/stores/store.h"

namespace holdfast {
namespace {

// The lock itself is explored longer than its mutants: a weakness of its own that nobody saw would be taken
// for the mutation's.
constexpr std::uint64_t times_as_many_runs = 3;

}  // namespace

ExploreTarget StockExploration::target(const LockEntry& lock) const {
  return make_target(lock, scenario, menu,
                     {.clients = clients,
                      .rounds = 1,
                      .most_faults = most_faults,
                      .fixed_latency = explorer->tries_orders,
                      .draws_shapes = !explorer->tries_orders});
}

FaultKinds kinds_of(const std::vector<FaultSpec>& faults) {
  FaultKinds kinds;
  for (const FaultSpec& fault : faults) {
    const bool on_server = fault.on == "servers" || names_a_store(fault.on);
    kinds.insert(fault.fault + (on_server ? " of a server" : ""));
  }
  return kinds;
}

HonestLock::HonestLock(Simulation& simulation, const LockEntry& lock, const std::vector<Scenario>& families,
                       const StockExploration& exploration) {
  for (const Scenario& family : families) {
    cells_.push_back(sweep(simulation, family, lock, 1));
    const Cell& cell = cells_.back();
    matrix_runs_ += cell.runs;
    for (const FaultSpec& fault : family.sweep) {
      weaknesses_.push_back({cell.letter, kinds_of({fault})});
    }
  }
  if (exploration.runs == 0 || !why_not_applicable(exploration.scenario, lock).empty()) {
    return;
  }
  const ExploreTarget target = exploration.target(lock);
  PieceRequest request;
  request.target = &target;
  request.explorer = exploration.explorer;
  request.count = times_as_many_runs * exploration.runs;
  const PieceResult result = explore_piece(simulation, request);
  for (const ExploreFinding& finding : result.findings) {
    weaknesses_.push_back({finding.letter, kinds_of(finding.faults)});
  }
}

bool HonestLock::can_come_to(Letter letter, const FaultKinds& kinds) const {
  return std::ranges::any_of(weaknesses_, [&](const Weakness& weakness) {
    return weakness.letter >= letter && std::ranges::includes(kinds, weakness.kinds);
  });
}

}  // namespace holdfast
