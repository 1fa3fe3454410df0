// The matrix as text for a terminal.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/terminal/terminal.h"
#include "harness/matrix/matrix.h"

namespace holdfast::cli {

// Letters, and beside each the number of runs behind it. Broken into blocks of columns if it is too wide.
std::string matrix_text(const Matrix& matrix, const Terminal& terminal);
// What those were told who lost the lock while they held it, a line for each lock.
std::string loss_text(const Matrix& matrix, const Terminal& terminal);
// What disagrees with the expected table, a line each with the command that shows it.
std::string disagreements_text(const Matrix& matrix, const std::vector<Disagreement>& list,
                               const Terminal& terminal);
// Where the first reasoning was wrong (all of it if `in_full`, else how many), and cells nothing is expected
// of.
std::string notes_text(const Matrix& matrix, const ExpectedTable& expected, bool in_full);

}  // namespace holdfast::cli
