// A directory of our own, readable by nobody else, that is gone when its object is, or when we are.
#pragma once

#include <filesystem>

namespace holdfast::live {

class TemporaryDirectory {
 public:
  // Below $TMPDIR or /tmp. Throws LiveError if it cannot be made.
  TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace holdfast::live
