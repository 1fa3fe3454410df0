// The data of a report: the matrix, the catalog, the worst story of every cell with its shrunk form, and what
// each lock endures.
#pragma once

#include <string>

#include "harness/cli/terminal/commands.h"
#include "harness/machine/program/server_program.h"
#include "harness/matrix/matrix.h"

namespace holdfast::cli {

struct ReportDataOptions {
  std::string directory;  // is made if it is not there
  std::size_t jobs = 1;
  bool confirm = false;           // ask real servers about every shrunk story
  live::ServerPrograms programs;  // these
  std::string server_words;       // how the user said so, for commands that are shown
};

// What reports/README.md describes; which servers were asked goes into the matrix. False if one does not
// agree. Throws BadInput with one sentence if it cannot be written, or if there is no real server to ask.
bool write_report_data(Matrix& matrix, const ReportDataOptions& options, Invocation& invocation);

}  // namespace holdfast::cli
