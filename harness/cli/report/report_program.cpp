#include "harness/cli/report/report_program.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "harness/cli/report/report_archive.h"
#include "harness/cli/terminal/output.h"
#include "harness/files/output_file.h"
#include "harness/machine/process/child.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/text/bad_input.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

// Debian's own, for which its packages of matplotlib and Jinja2 are; another one would not find them.
constexpr const char* python = "/usr/bin/python3";
constexpr std::string_view name_of_program = "holdfast: ";

// Without taking note of the end: that is the child's to do.
void wait_for_end(pid_t process) {
  siginfo_t ignored{};
  while (::waitid(P_PID, static_cast<id_t>(process), &ignored, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
}

}  // namespace

void run_report_program(std::vector<std::string> arguments) {
  if (::access(python, X_OK) != 0) {
    throw BadInput(fmt::format(
        "reports need {}, which is not here: apt-get install python3 python3-jinja2 python3-matplotlib",
        python));
  }
  const live::TemporaryDirectory directory;
  const std::filesystem::path archive = directory.path() / "reports.zip";
  write_file(archive.string(), report_archive(), "the reports' program");
  const std::filesystem::path said = directory.path() / "said";
  // -I: what it imports is not ours to take from the current directory or from PYTHONPATH.
  arguments.insert(arguments.begin(), {python, "-I", archive.string()});
  live::Child child({.arguments = std::move(arguments),
                     .environment = {{"MPLCONFIGDIR", directory.path().string()}},
                     .directory = {},
                     .output = said,
                     .input = {},
                     .standard_output = {}});
  wait_for_end(child.process());
  if (child.is_running() || child.ending() == "exit code 0") {
    return;
  }
  std::string sentence = live::last_lines(said, 1);
  while (sentence.ends_with('\n')) {
    sentence.pop_back();
  }
  if (!sentence.starts_with(name_of_program)) {
    throw BadInput(fmt::format("the report cannot be made: {} ended with {}{}{}", python, child.ending(),
                               sentence.empty() ? "" : ", saying: ", printable(sentence)));
  }
  throw BadInput(printable(sentence.substr(name_of_program.size())));
}

}  // namespace holdfast::cli
