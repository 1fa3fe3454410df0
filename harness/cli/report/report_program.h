// Runs the Python side of the reports, which this program carries inside.
#pragma once

#include <string>
#include <vector>

namespace holdfast::cli {

// `arguments` begin with report or picture; reports/README.md says what follows. Returns when it is done.
// Throws BadInput with the sentence that it said, LiveError if Python cannot be started.
void run_report_program(std::vector<std::string> arguments);

}  // namespace holdfast::cli
