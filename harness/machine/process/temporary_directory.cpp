#include "harness/machine/process/temporary_directory.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "harness/machine/process/guard.h"
#include "harness/machine/process/live_error.h"

namespace holdfast::live {

TemporaryDirectory::TemporaryDirectory() {
  std::error_code problem;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(problem);
  std::string name = ((problem ? "/tmp" : parent) / "holdfast-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw LiveError(fmt::format("no directory can be made in {}: {}; $TMPDIR chooses another place.",
                                problem ? "/tmp" : parent.string(), std::strerror(errno)));
  }
  path_ = name;
  Guard::instance().watch(path_);
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code problem;
  std::filesystem::remove_all(path_, problem);
  // If somebody was still at work in there, the guard tries once more when we end.
  if (!problem) {
    Guard::instance().forget(path_);
  }
}

}  // namespace holdfast::live
