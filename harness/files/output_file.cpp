#include "harness/files/output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "harness/text/bad_input.h"

namespace holdfast {
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

}  // namespace holdfast
