// exhaustive: every order of messages and every way to place up to most_faults faults.
//
// Depth first as in Godefroid's VeriSoft (depth_first.h), over every question but what a lock draws at
// random: those are ids, since its pauses are made even for this. The partial-order reduction is in what is
// asked, where Flanagan and Godefroid ("Dynamic Partial-Order Reduction", POPL 2005) find it while running:
// only messages to the same process are put in order (harness/kernel/network.h), and a fault is asked about
// only at steps where striking there differs from striking at the next one.
#include "harness/explore/strategies/depth_first.h"
#include "harness/explore/strategies/strategies.h"

namespace holdfast {

std::unique_ptr<Explorer> make_exhaustive_explorer(std::uint64_t seed, const ExploreProbe&) {
  return std::make_unique<DepthFirstExplorer>(seed, true);
}

}  // namespace holdfast
