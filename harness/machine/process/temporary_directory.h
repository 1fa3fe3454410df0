// A directory of our own, readable by nobody else, that is gone when its object is, or when we are.
#pragma once

#include <filesystem>

namespace holdfast::live {

class TemporaryDirectory {
 public:
  // In temporary_place(). Throws LiveError if it cannot be made.
  TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();

  // One that every program can take, however TMPDIR is called: without blanks, quotes or colons, which the
  // loader and redis.conf have no way to say, and short enough for the name of a socket. It may be a link to
  // where it really is.
  const std::filesystem::path& path() const { return path_; }

 private:
  // Removes one of the two below, and has the guard forget it.
  static void remove(const std::filesystem::path& path);

  std::filesystem::path directory_;
  std::filesystem::path path_;
};

}  // namespace holdfast::live
