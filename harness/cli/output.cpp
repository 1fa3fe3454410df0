#include "harness/cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "harness/cli/bad_input.h"

namespace holdfast::cli {

void Output::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty() && !reader_gone_) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      reader_gone_ = true;
    } else if (errno != EINTR) {
      const std::string reason = std::strerror(errno);
      buffer_.clear();
      throw BadInput(
          fmt::format("cannot write to standard output: {}; make room there or send it elsewhere", reason));
    }
  }
  buffer_.clear();
}

void write_file(const std::string& path, std::string_view content, std::string_view what) {
  const std::string temporary_path = fmt::format("{}.{}.partial", path, ::getpid());
  std::FILE* file = std::fopen(temporary_path.c_str(), "wb");
  if (file == nullptr) {
    throw BadInput(fmt::format("cannot write {} to {}: {}; choose a place that can be written to", what, path,
                               std::strerror(errno)));
  }
  bool good = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  good = std::fclose(file) == 0 && good;
  good = good && std::rename(temporary_path.c_str(), path.c_str()) == 0;
  if (!good) {
    const std::string reason = std::strerror(errno);
    std::remove(temporary_path.c_str());
    throw BadInput(
        fmt::format("cannot write {} to {}: {}; make room or choose another place", what, path, reason));
  }
}

}  // namespace holdfast::cli
