// A run told to the user: what it is about, its picture, and what comes of it.
#pragma once

#include <vector>

#include "harness/cli/story/told_run.h"
#include "harness/cli/terminal/commands.h"

namespace holdfast::cli {

// As JSON without the picture, if that is wanted.
void tell(const ToldRun& run, const History& history, const std::vector<ProcessId>& processes, bool json,
          Invocation& invocation);

}  // namespace holdfast::cli
