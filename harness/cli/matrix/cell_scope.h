// matrix --why LOCK/FAMILY: what the letter of a cell rests on: everything that was tried, and what was not.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/terminal/terminal.h"
#include "harness/matrix/matrix.h"

namespace holdfast::cli {

// Of each cell of the matrix that was run.
std::string scopes_text(const Matrix& matrix, const Terminal& terminal);

}  // namespace holdfast::cli
