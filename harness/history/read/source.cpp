#include "harness/history/read/source.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "harness/files/input_file.h"
#include "harness/history/read/gzip_source.h"
#include "harness/history/read/history_error.h"

namespace holdfast {
namespace {

constexpr std::size_t beginning_bytes = 4096;

[[noreturn]] void fail_to_read(const std::string& name, int error, const std::string& problem) {
  throw HistoryError(error == EISDIR
                         ? fmt::format("{} is a directory; name a history file in it", name)
                         : fmt::format("cannot read {}: {}; check the file and its disk", name, problem));
}

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : file_(path), name_(path) {
    if (file_.error() == ENOENT) {
      throw HistoryError(fmt::format("there is no file {}; check the path", path));
    }
    if (file_.error() != 0 && file_.error() != EISDIR) {
      throw HistoryError(
          fmt::format("cannot read {}: {}; name a file that can be read", path, file_.problem()));
    }
  }

  std::size_t read(std::span<char> room) override {
    const std::optional<std::size_t> count = file_.read(room);
    if (!count) {
      fail_to_read(name_, file_.error(), file_.problem());
    }
    return *count;
  }

 private:
  InputFile file_;
  std::string name_;
};

class StandardInputSource final : public ByteSource {
 public:
  std::size_t read(std::span<char> room) override {
    ssize_t count = -1;
    do {
      count = ::read(STDIN_FILENO, room.data(), room.size());
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
      fail_to_read("standard input", errno, std::strerror(errno));
    }
    return static_cast<std::size_t>(count);
  }
};

class TextSource final : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : rest_(text) {}

  std::size_t read(std::span<char> room) override {
    const std::size_t count = rest_.copy(room.data(), room.size());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

// Gives out what was already read of a source, then the rest of it.
class ReadAheadSource final : public ByteSource {
 public:
  ReadAheadSource(std::string ahead, std::unique_ptr<ByteSource> rest)
      : ahead_(std::move(ahead)), rest_(std::move(rest)) {}

  std::size_t read(std::span<char> room) override {
    if (given_ == ahead_.size()) {
      return rest_->read(room);
    }
    const std::size_t count = ahead_.copy(room.data(), room.size(), given_);
    given_ += count;
    return count;
  }

 private:
  std::string ahead_;
  std::size_t given_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

std::string read_ahead(ByteSource& bytes) {
  std::string result(beginning_bytes, '\0');
  std::size_t filled = 0;
  while (filled < result.size()) {  // a pipe gives what it has
    const std::size_t count = bytes.read(std::span(result).subspan(filled));
    if (count == 0) {
      break;
    }
    filled += count;
  }
  result.resize(filled);
  return result;
}

}  // namespace

Source::Source(std::unique_ptr<ByteSource> bytes, std::string name)
    : bytes_(std::move(bytes)), name_(std::move(name)) {
  beginning_ = read_ahead(*bytes_);
  if (looks_like_gzip(beginning_)) {
    bytes_ = unpack_gzip(std::make_unique<ReadAheadSource>(std::move(beginning_), std::move(bytes_)), name_);
    beginning_ = read_ahead(*bytes_);
  }
}

Source Source::open(const std::string& path) {
  if (path == "-") {
    return {std::make_unique<StandardInputSource>(), "standard input"};
  }
  return {std::make_unique<FileSource>(path), path};
}

Source Source::from_text(std::string_view text, std::string name) {
  return {std::make_unique<TextSource>(text), std::move(name)};
}

Source Source::from_bytes(std::unique_ptr<ByteSource> bytes, std::string name) {
  return {std::move(bytes), std::move(name)};
}

std::size_t Source::read(std::span<char> room) {
  if (handed_out_ == beginning_.size()) {
    return bytes_->read(room);
  }
  const std::size_t count = beginning_.copy(room.data(), room.size(), handed_out_);
  handed_out_ += count;
  return count;
}

}  // namespace holdfast
