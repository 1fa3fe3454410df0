// holdfast report DIR: the page, the figures and the summary of what was found.
#include <memory>
#include <optional>

#include "harness/cli/report/program_output.h"
#include "harness/cli/report/report_program.h"
#include "harness/cli/terminal/commands.h"
#include "harness/cli/terminal/output.h"
#include "harness/files/output_file.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/text/bad_input.h"

namespace holdfast::cli {
namespace {

struct ReportOptions {
  std::string directory;
  std::string output = "report.html";
  std::string figures;
  std::string markdown;
};

int make_report(const ReportOptions& options, Invocation& invocation) {
  if (options.directory.empty()) {
    throw BadInput(
        "report wants to know which directory; it holds at least matrix.json, which \"holdfast matrix --json "
        "FILE\" writes");
  }
  const live::TemporaryDirectory directory;
  const ProgramOutput page(options.output, "the report", directory.path());
  std::optional<ProgramOutput> summary;
  std::vector<std::string> arguments{"report", "--output=" + page.path_for_program()};
  if (!options.figures.empty()) {
    arguments.push_back("--figures=" + options.figures);
  }
  if (!options.markdown.empty()) {
    summary.emplace(options.markdown, "the summary", directory.path());
    arguments.push_back("--markdown=" + summary->path_for_program());
  }
  arguments.insert(arguments.end(), {"--", options.directory});
  run_report_program(std::move(arguments));
  if (summary) {
    summary->deliver();
  }
  page.deliver();
  if (is_plain_output(options.output)) {  // else the page may have gone to standard output
    invocation.output.print("Wrote " + options.output + ".\n");
  }
  return exit_well;
}

}  // namespace

void add_report_command(CLI::App& app, Handler& chosen) {
  const auto options = std::make_shared<ReportOptions>();
  Subcommand(app, "report",
             "Makes one page of all that was found: the matrix, every story, and what is known of each lock.")
      .word("DIR", options->directory, "matrix.json, locks.json, stories and more; see reports/README.md")
      .option("-o,--output", options->output, "the page", "FILE")
      .option("--figures", options->figures, "also write every figure into this directory, as SVG and PNG",
              "DIR")
      .option("--markdown", options->markdown, "also write a summary for a pull request", "FILE")
      .footer("Exit codes: 0 the report is written, 2 bad input.")
      .act(chosen, [options](Invocation& invocation) { return make_report(*options, invocation); });
}

}  // namespace holdfast::cli
