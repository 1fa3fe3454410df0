// every-step: each fault of the menu at each step, and up to most_faults of them.
//
// What is enumerated is where faults strike; the order of messages and all else is drawn from the seed, the
// same in every run. This is the sweep of the matrix with more than one fault at a time; Alvaro, Rosen,
// Hellerstein: "Lineage-driven Fault Injection", SIGMOD 2015, prunes places that cannot matter to the
// outcome. We deviate by not pruning: a run takes microseconds.
#include "harness/explore/strategies/depth_first.h"
#include "harness/explore/strategies/strategies.h"

namespace holdfast {

std::unique_ptr<Explorer> make_every_step_explorer(std::uint64_t seed, const ExploreProbe&) {
  return std::make_unique<DepthFirstExplorer>(seed, false);
}

}  // namespace holdfast
