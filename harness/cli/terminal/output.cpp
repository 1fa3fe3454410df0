#include "harness/cli/terminal/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/text/bad_input.h"

namespace holdfast::cli {

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

}  // namespace holdfast::cli
