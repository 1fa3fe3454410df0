#include "harness/files/directory.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "harness/text/bad_input.h"

namespace holdfast {

void make_directory(const std::string& directory, const std::string& part) {
  std::error_code problem;
  std::filesystem::create_directories(directory + "/" + part, problem);
  if (problem) {
    throw BadInput(fmt::format("cannot write to {}: {}; choose a place that can be written to", directory,
                               problem.message()));
  }
}

}  // namespace holdfast
