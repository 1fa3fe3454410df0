#include "harness/cli/terminal/output.h"

#include <fcntl.h>
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

void say_on_standard_error(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      return;
    }
    text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
  }
}

void occupy_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
      // The wrong way round: whoever uses it is told so, as before. open() takes the lowest that is free:
      // this one.
      const int opened = ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
      if (opened >= 0 && opened != descriptor) {
        ::dup2(opened, descriptor);
        ::close(opened);
      }
    }
  }
}

}  // namespace holdfast::cli
