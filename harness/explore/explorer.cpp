#include "harness/explore/explorer.h"

#include <algorithm>
#include <array>

#include "harness/explore/strategies/strategies.h"

namespace holdfast {
namespace {

constexpr std::array explorers{
    ExplorerEntry{"random", "faults and latencies at random", make_random_explorer},
    ExplorerEntry{"swarm", "each run with some kinds of faults only", make_swarm_explorer},
    ExplorerEntry{"pct", "processes with priorities that change at a few moments", make_pct_explorer},
    ExplorerEntry{.name = "every-step",
                  .summary = "each fault at each step, and pairs of them with --faults 2",
                  .make = make_every_step_explorer,
                  .ends_by_itself = true,
                  .learns = true},
    ExplorerEntry{.name = "exhaustive",
                  .summary = "every order of messages and every way to place the faults; for small scopes",
                  .make = make_exhaustive_explorer,
                  .ends_by_itself = true,
                  .learns = true,
                  .tries_orders = true},
    ExplorerEntry{.name = "mutate",
                  .summary = "changes runs that came to something new",
                  .make = make_mutate_explorer,
                  .ends_by_itself = false,
                  .learns = true},
};

}  // namespace

std::span<const ExplorerEntry> all_explorers() {
  return explorers;
}

const ExplorerEntry* find_explorer(std::string_view name) {
  const auto found = std::ranges::find(explorers, name, &ExplorerEntry::name);
  return found == explorers.end() ? nullptr : &*found;
}

}  // namespace holdfast
