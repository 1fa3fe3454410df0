#include "harness/cli/terminal/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "harness/cli/terminal/bad_input.h"

namespace holdfast::cli {
namespace {

struct PartialFile {
  std::string path;
  std::FILE* file = nullptr;
};

PartialFile open_beside(const std::string& path, std::string_view what) {
  PartialFile partial{fmt::format("{}.{}.partial", path, ::getpid())};
  partial.file = std::fopen(partial.path.c_str(), "wb");
  if (partial.file == nullptr) {
    throw BadInput(fmt::format("cannot write {} to {}: {}; choose a place that can be written to", what, path,
                               std::strerror(errno)));
  }
  return partial;
}

}  // namespace

int Output::try_flush() {
  const std::string text = std::exchange(buffer_, {});
  std::string_view rest = text;
  while (!rest.empty() && !reader_gone_) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      reader_gone_ = true;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

void Output::flush() {
  if (const int problem = try_flush(); problem != 0) {
    throw BadInput(fmt::format("cannot write to standard output: {}; make room there or send it elsewhere",
                               std::strerror(problem)));
  }
}

void check_can_write(const std::string& path, std::string_view what) {
  const PartialFile partial = open_beside(path, what);
  std::fclose(partial.file);
  std::remove(partial.path.c_str());
}

void write_file(const std::string& path, std::string_view content, std::string_view what) {
  const PartialFile partial = open_beside(path, what);
  bool good = std::fwrite(content.data(), 1, content.size(), partial.file) == content.size();
  good = std::fclose(partial.file) == 0 && good;
  good = good && std::rename(partial.path.c_str(), path.c_str()) == 0;
  if (!good) {
    const std::string reason = std::strerror(errno);
    std::remove(partial.path.c_str());
    throw BadInput(
        fmt::format("cannot write {} to {}: {}; make room or choose another place", what, path, reason));
  }
}

void make_directory(const std::string& directory, const std::string& part) {
  std::error_code problem;
  std::filesystem::create_directories(directory + "/" + part, problem);
  if (problem) {
    throw BadInput(fmt::format("cannot write to {}: {}; choose a place that can be written to", directory,
                               problem.message()));
  }
}

}  // namespace holdfast::cli
