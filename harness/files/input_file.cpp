#include "harness/files/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace holdfast {
namespace {

constexpr std::size_t bytes_a_step = std::size_t{1} << 16U;

}  // namespace

InputFile::InputFile(const std::string& path, int patience_ms)
    : file_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {
  struct stat status{};
  if (file_ < 0 || ::fstat(file_, &status) != 0) {
    error_ = errno;
    return;
  }
  if (S_ISDIR(status.st_mode)) {
    error_ = EISDIR;
    return;
  }
  is_pipe_without_writer_ = S_ISFIFO(status.st_mode) && !wait_for_writer(patience_ms);
  if (is_pipe_without_writer_) {
    error_ = EPIPE;
  }
  ::fcntl(file_, F_SETFL, ::fcntl(file_, F_GETFL) & ~O_NONBLOCK);
}

InputFile::~InputFile() {
  if (file_ >= 0) {
    ::close(file_);
  }
}

bool InputFile::wait_for_writer(int patience_ms) {
  pollfd pipe{file_, POLLIN, 0};
  const int ready = ::poll(&pipe, 1, patience_ms);
  if (ready != 0) {
    return true;  // there is something to read, or there was a writer who has gone; a signal ends us anyway
  }
  // Only reading tells a writer who says nothing yet from one who is not there.
  char letter = 0;
  const ssize_t count = ::read(file_, &letter, 1);
  if (count == 1) {
    read_ahead_ = letter;
  }
  return count != 0;
}

std::optional<std::size_t> InputFile::read(std::span<char> room) {
  if (error_ != 0) {
    return std::nullopt;
  }
  if (read_ahead_ && !room.empty()) {
    room.front() = *read_ahead_;
    read_ahead_.reset();
    return 1;
  }
  ssize_t count = -1;
  do {
    count = ::read(file_, room.data(), room.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    error_ = errno;
    return std::nullopt;
  }
  return static_cast<std::size_t>(count);
}

std::string InputFile::problem() const {
  if (is_pipe_without_writer_) {
    return "it is a pipe, and nobody came to write to it";
  }
  return error_ == 0 ? "" : error_ == EISDIR ? "it is a directory" : std::strerror(error_);
}

WholeFile read_whole_file(const std::string& path, std::size_t most_bytes) {
  InputFile file(path);
  WholeFile whole;
  std::size_t filled = 0;
  for (;;) {
    whole.text.resize(std::min(filled + bytes_a_step, most_bytes + 1));
    const std::optional<std::size_t> count = file.read(std::span(whole.text).subspan(filled));
    filled += count.value_or(0);
    if (!count || *count == 0 || filled > most_bytes) {
      break;
    }
  }
  whole.text.resize(filled);
  whole.error = file.error();
  whole.problem = file.problem();
  if (whole.error == 0 && filled > most_bytes) {
    whole.error = EFBIG;
    whole.problem = fmt::format("it is larger than {} MB", most_bytes / 1'000'000);
  }
  return whole;
}

}  // namespace holdfast
