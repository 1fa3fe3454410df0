// What changed since the baseline, in words: for a terminal, a pull request and a CI server.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/terminal/terminal.h"
#include "harness/matrix/baseline.h"

namespace holdfast::cli {

// The shrunk run as a picture without colours, for changes_since().
std::string shrunk_story(const ShrunkFinding& finding, const LockEntry& lock);

std::string changes_text(const std::vector<Change>& changes, const Terminal& terminal);
// A table for a pull request.
std::string changes_markdown(const Matrix& matrix, const std::vector<Change>& changes);
// The same without a baseline: what disagrees with the expected table, if there is one.
std::string disagreements_markdown(const Matrix& matrix,
                                   const std::optional<std::vector<Disagreement>>& disagreements);
// A test case for each cell: those that got worse failed, those that are not applicable or gone were skipped.
std::string junit_xml(const Matrix& matrix, const std::vector<Change>& changes, double seconds);

}  // namespace holdfast::cli
