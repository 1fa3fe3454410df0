// The strategies, one a file, gathered by explorer.cpp.
#pragma once

#include <memory>

#include "harness/explore/strategies/explorer.h"

namespace holdfast {

std::unique_ptr<Explorer> make_random_explorer(std::uint64_t seed, const ExploreProbe& probe);
std::unique_ptr<Explorer> make_swarm_explorer(std::uint64_t seed, const ExploreProbe& probe);
std::unique_ptr<Explorer> make_pct_explorer(std::uint64_t seed, const ExploreProbe& probe);
std::unique_ptr<Explorer> make_every_step_explorer(std::uint64_t seed, const ExploreProbe& probe);
std::unique_ptr<Explorer> make_exhaustive_explorer(std::uint64_t seed, const ExploreProbe& probe);
std::unique_ptr<Explorer> make_mutate_explorer(std::uint64_t seed, const ExploreProbe& probe);

}  // namespace holdfast
