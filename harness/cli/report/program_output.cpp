#include "harness/cli/report/program_output.h"

#include <fmt/format.h>

#include <utility>

#include "harness/files/file_error.h"
#include "harness/files/input_file.h"
#include "harness/files/output_file.h"
#include "harness/files/random_name.h"

namespace holdfast::cli {

ProgramOutput::ProgramOutput(std::string path, std::string what, const std::filesystem::path& directory)
    : path_(std::move(path)), what_(std::move(what)), path_for_program_(path_) {
  check_can_write(path_, what_);
  if (!is_plain_output(path_)) {
    // What kind of picture it is shows in the end of its name.
    path_for_program_ =
        (directory / (random_name() + std::filesystem::path(path_).extension().string())).string();
  }
}

void ProgramOutput::deliver() const {
  if (path_for_program_ == path_) {
    return;
  }
  constexpr std::size_t largest_page = 1'000'000'000;
  const WholeFile written = read_whole_file(path_for_program_, largest_page);
  if (written.error != 0) {
    throw FileError(fmt::format("cannot read {} again to pass it on: {}", what_, written.problem));
  }
  write_file(path_, written.text, what_);
}

}  // namespace holdfast::cli
