// The repository's sources as the linter sees them, and its verdict on them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "harness/lint/allowances.h"
#include "harness/lint/rules.h"
#include "harness/lint/source.h"

namespace holdfast::lint {

// All .h and .cpp files under harness, locks and faults, ordered by path.
std::vector<SourceFile> read_tree(const std::filesystem::path& top);

// One line for each place in `files` that breaks the rule without an allowance:
// harness/x.cpp:12: system-clock: steady_clock; a run reads only …
std::vector<std::string> violations(const Rule& rule, std::span<const SourceFile> files,
                                    std::span<const Allowance> allowances);

// One line for each allowance that names an unknown rule, gives no reason, or, unless it is a door,
// has a file but no need.
std::vector<std::string> idle_allowances(std::span<const SourceFile> files,
                                         std::span<const Allowance> allowances);

}  // namespace holdfast::lint
