// The end of an exploration, however it was put together: findings are shrunk, written and told.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/explore/exploration_text.h"
#include "harness/cli/terminal/commands.h"

namespace holdfast::cli {

struct ConclusionOptions {
  std::string out;  // where findings and campaign.json go; empty: nowhere
  bool json = false;
  std::size_t jobs = 1;
};

// Returns the exit code.
int conclude(std::vector<ExploredTarget> targets, const ExplorationPace& pace, TargetShelf& shelf,
             const ConclusionOptions& options, Invocation& invocation);

}  // namespace holdfast::cli
