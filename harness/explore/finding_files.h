// A finding that was made small, as files: a scenario that goes straight into scenarios/, and a log that
// replays it.
#pragma once

#include <string>

#include "harness/explore/shrink.h"

namespace holdfast {

// Writes BASE.json if the scenario does it with any seed, and BASE.log always.
void write_finding(const ShrunkFinding& finding, const LockEntry& lock, const std::string& base);
// The command that tells it again from these files.
std::string finding_command(const ShrunkFinding& finding, const std::string& base);

// Only BASE.log, for a finding that could not be made small: its scenario needs its choices.
void write_finding_log(const ShrunkFinding& finding, const LockEntry& lock, const std::string& base);
std::string log_command(const std::string& base);

}  // namespace holdfast
