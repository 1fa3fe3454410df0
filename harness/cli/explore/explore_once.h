// holdfast explore --run N: one run of an exploration once more, shrunk and told.
#pragma once

#include "harness/cli/explore/explore_options.h"
#include "harness/cli/terminal/commands.h"

namespace holdfast::cli {

// Throws BadInput with one sentence. Returns the exit code.
int explore_once(const ExploreOptions& options, Invocation& invocation);

}  // namespace holdfast::cli
