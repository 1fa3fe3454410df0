// What a run leaves in files: its history and the log of its choices.
#pragma once

#include <string>

#include "harness/cli/story/told_run.h"

namespace holdfast::cli {

// The first and the last line of a history.
std::string history_header(const ToldRun& run);
std::string history_end(const ToldRun& run);
// The last line of one that trouble put an end to.
std::string history_cut_short(Duration time, const std::string& problem);

// `scenario_json` is the scenario as it was written. Throws std::runtime_error with one sentence.
void write_log(const std::string& path, const ToldRun& run, const std::string& scenario_json,
               const Choices& choices);

}  // namespace holdfast::cli
