#include "harness/explore/zoo.h"

#include <algorithm>

namespace holdfast {
namespace {

Scenario scope_scenario(const MutantScope& scope) {
  Scenario scenario;
  scenario.name = "mutant-scope";
  scenario.title = "the scope of a mutant";
  scenario.any_lock = true;
  scenario.column = 1;
  scenario.event_limit = 30'000;
  scenario.clients.resize(1);
  scenario.clients.front().name = "c1";
  scenario.workload.kind = scope.workload;
  scenario.workload.work = scope.work;
  return scenario;
}

}  // namespace

ExploreTarget mutant_target(const MutantEntry& mutant, const LockEntry& lock, const ExplorerEntry& explorer) {
  const MutantScope& scope = mutant.scope;
  // A strategy that tries everything is not done with pairs of faults in any time.
  const std::uint32_t most_faults =
      explorer.ends_by_itself ? std::min(scope.most_faults, 1U) : scope.most_faults;
  return make_target(lock, scope_scenario(scope), scope.menu,
                     {.clients = scope.clients,
                      .rounds = scope.rounds,
                      .most_faults = most_faults,
                      .fixed_latency = explorer.tries_orders});
}

MutantSearch search_mutant(Simulation& simulation, const MutantEntry& mutant, const LockEntry& lock,
                           const ExplorerEntry& explorer, std::uint64_t runs) {
  const ExploreTarget target = mutant_target(mutant, lock, explorer);
  PieceRequest request;
  request.target = &target;
  request.explorer = &explorer;
  request.count = runs;
  request.stop_at_first = true;
  request.stop_at = static_cast<Letter>(static_cast<std::uint8_t>(mutant.scope.entitled) + 1);
  PieceResult result = explore_piece(simulation, request);
  MutantSearch search;
  search.runs = result.runs;
  // Worse letters stand first.
  if (!result.findings.empty() && mutant.scope.accuses(result.findings.front().letter)) {
    search.finding = std::move(result.findings.front());
  }
  return search;
}

}  // namespace holdfast
