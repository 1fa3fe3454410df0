// The data of a report: the matrix, the catalog, and the worst story of every cell with its shrunk form.
#pragma once

#include <string>

#include "harness/cli/commands.h"
#include "harness/cli/matrix.h"

namespace holdfast::cli {

// Into `directory`, which is made if it is not there; what reports/README.md describes.
// Throws BadInput with one sentence if it cannot be written.
void write_report_data(const Matrix& matrix, const std::string& directory, std::size_t jobs,
                       const Invocation& invocation);

}  // namespace holdfast::cli
