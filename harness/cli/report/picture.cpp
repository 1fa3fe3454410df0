#include "harness/cli/report/picture.h"

#include <fmt/format.h>

#include <filesystem>

#include "harness/cli/report/program_output.h"
#include "harness/cli/report/report_program.h"
#include "harness/cli/terminal/output.h"
#include "harness/files/output_file.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/text/bad_input.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {

void check_can_draw(const std::string& path) {
  if (!path.ends_with(".svg") && !path.ends_with(".png")) {
    throw BadInput(fmt::format("--picture takes a file that ends in .svg or .png, not \"{}\"",
                               shortened(printable(path), 60)));
  }
  check_can_write(path, "the picture");
}

void draw_picture(const std::string& history, std::string_view verdicts, const std::string& path) {
  const live::TemporaryDirectory directory;
  const std::string verdicts_file = (directory.path() / "verdicts.json").string();
  write_file(verdicts_file, verdicts, "the verdicts");
  // What comes behind "--" is a file, even if its name begins with a dash.
  const ProgramOutput picture(path, "the picture", directory.path());
  run_report_program({"picture", "--", history, verdicts_file, picture.path_for_program()});
  picture.deliver();
}

}  // namespace holdfast::cli
