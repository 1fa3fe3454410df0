// Whether a path names something that must be written to as it stands.
//
// Our files are written under a temporary name and renamed when they are whole. Done to /dev/null, a pipe or
// a terminal, that would put a plain file in its place.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace holdfast {

inline bool is_special_file(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

}  // namespace holdfast
