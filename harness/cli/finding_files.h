// A finding that was made small, as files: a scenario that goes straight into scenarios/, and a log that
// replays it.
#pragma once

#include <string>

#include "harness/explore/shrink.h"

namespace holdfast::cli {

// Writes BASE.json if the scenario does it with any seed, and BASE.log always. Returns the command that tells
// it again, which names the files as `shown_base`.
std::string write_finding(const ShrunkFinding& finding, const LockEntry& lock, const std::string& base,
                          const std::string& shown_base);

}  // namespace holdfast::cli
