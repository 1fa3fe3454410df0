// matrix --why: for each lock the cell that is worst, the least that brings it about, and the command of the
// run that this was found as, with all that the least does without.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/terminal/terminal.h"
#include "harness/matrix/matrix.h"

namespace holdfast::cli {

struct WorstCell {
  std::size_t row = 0;
  std::size_t column = 0;
  std::string size;   // "2 clients, 1 fault, 7 steps", of the shrunk run; empty: it could not be made small
  std::string least;  // "gc-pause on c1 for 9.7s"
};

// One for each lock that is worse than safe anywhere: of its worst letter the first family that has it.
// Shrinks the run of each, on `jobs` threads; the result does not depend on how many there are.
std::vector<WorstCell> worst_cells(const Matrix& matrix, std::size_t jobs,
                                   const std::function<void(std::size_t done, std::size_t all)>& on_done);

// `scenarios` is the directory that was asked for, if one was: commands need it, too.
std::string worst_cells_text(const Matrix& matrix, const std::vector<WorstCell>& worst,
                             const std::optional<std::string>& scenarios, const Terminal& terminal);

}  // namespace holdfast::cli
