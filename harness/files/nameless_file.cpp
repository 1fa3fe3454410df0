#include "harness/files/nameless_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "harness/files/file_error.h"
#include "harness/files/random_name.h"
#include "harness/files/temporary_place.h"

namespace holdfast {
namespace {

int open_without_name(const std::string& directory) {
  const int file = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) {
    return file;
  }
  // A file system that must have a name gets one, for a moment.
  const std::string name = fmt::format("{}/holdfast-{}", directory, random_name());
  const int named = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (named >= 0) {
    ::unlink(name.c_str());
  }
  return named;
}

}  // namespace

NamelessFile::NamelessFile() {
  const std::string directory = temporary_place();
  file_ = open_without_name(directory);
  if (file_ < 0) {
    throw FileError(
        fmt::format("cannot write to the temporary directory {}: {}; set TMPDIR to one that can be written",
                    directory, std::strerror(errno)));
  }
}

NamelessFile::~NamelessFile() {
  ::close(file_);
}

void NamelessFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      throw FileError(
          fmt::format("cannot write to the temporary directory {}: {}; make room, or set TMPDIR to another",
                      temporary_place(), std::strerror(errno)));
    }
    text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
  }
}

std::string NamelessFile::path() const {
  return fmt::format("/proc/self/fd/{}", file_);
}

}  // namespace holdfast
