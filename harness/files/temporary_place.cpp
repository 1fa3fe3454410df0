#include "harness/files/temporary_place.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace holdfast {

std::string temporary_place() {
  const char* const asked_for = std::getenv("TMPDIR");
  std::error_code ignored;
  if (asked_for != nullptr && std::filesystem::is_directory(asked_for, ignored)) {
    const std::filesystem::path absolute = std::filesystem::absolute(asked_for, ignored);
    return ignored ? asked_for : absolute.string();
  }
  return "/tmp";
}

}  // namespace holdfast
