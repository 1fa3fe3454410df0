#include "harness/files/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "harness/files/file_error.h"
#include "harness/files/random_name.h"
#include "harness/files/temporary_place.h"

namespace holdfast {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 16U;
constexpr mode_t usual_permissions = 0666;  // less what umask takes away
constexpr int most_tries = 100;             // at a name that nobody can guess
constexpr int wait_for_reader_ms = 10'000;
constexpr int look_again_after_ms = 10;

// What opens a file that has no name.
std::string link_to(int file) {
  return fmt::format("/proc/self/fd/{}", file);
}

std::string unfinished_path(const std::string& directory) {
  return fmt::format("{}/.holdfast-{}.partial", directory, random_name());
}

// Of a directory in which nothing can be made or replaced, though a file in it may be written.
bool is_closed_directory(int problem) {
  return problem == EACCES || problem == EPERM || problem == EROFS;
}

}  // namespace

OutputFile::OutputFile(std::string path, std::string what, Unfinished unfinished)
    : path_(std::move(path)), what_(std::move(what)), place_(find_output_place(path_)) {
  if (place_.problem != 0) {
    refuse(place_.problem);
  }
  switch (place_.kind) {
    case OutputPlace::Kind::plain:
      open_plain(unfinished);
      break;
    case OutputPlace::Kind::pipe:
      open_pipe();
      break;
    case OutputPlace::Kind::device:
      file_ = ::open(path_.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
      break;
    case OutputPlace::Kind::descriptor:
      file_ = ::fcntl(place_.descriptor, F_DUPFD_CLOEXEC, 3);
      break;
  }
  if (file_ < 0) {
    refuse(errno);
  }
}

OutputFile::~OutputFile() {
  if (file_ >= 0 && place_.kind != OutputPlace::Kind::plain) {
    flush();  // whoever reads along gets what there is
  }
  close_file();
}

void OutputFile::refuse(int problem) const {
  throw FileError(fmt::format(
      "cannot write {} to {}: {}; choose a place that can be written to", what_, path_,
      problem == ENXIO && place_.kind == OutputPlace::Kind::pipe ? "it is a pipe, and nobody came to read it"
                                                                 : std::strerror(problem)));
}

void OutputFile::open_plain(Unfinished unfinished) {
  if (unfinished == Unfinished::named || !open_nameless()) {
    open_named();
  }
  if (file_ < 0 && place_.existing && is_closed_directory(errno)) {
    open_elsewhere();
  } else if (file_ >= 0 && place_.existing) {
    take_over_permissions();
  }
}

bool OutputFile::open_nameless() {
  file_ = ::open(place_.directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, usual_permissions);
  struct stat ignored{};
  if (file_ >= 0 && ::stat(link_to(file_).c_str(), &ignored) != 0) {
    close_file();  // without /proc it could never be given a name
  }
  return file_ >= 0;
}

void OutputFile::open_named() {
  for (int tries = 0; tries < most_tries; ++tries) {
    unfinished_ = std::make_unique<UnfinishedName>(unfinished_path(place_.directory));
    file_ = ::open(unfinished_->path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                   usual_permissions);
    if (file_ >= 0 || errno != EEXIST) {
      break;
    }
    unfinished_->keep();  // it is somebody else's
  }
  if (file_ < 0) {
    const int problem = errno;
    unfinished_->keep();
    unfinished_.reset();
    errno = problem;
  }
}

// In memory where there is no other place either.
void OutputFile::open_elsewhere() {
  is_elsewhere_ = true;
  file_ = ::open(temporary_place().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file_ < 0) {
    file_ = ::memfd_create("holdfast", MFD_CLOEXEC);
  }
}

// A writer may open a pipe only when there is a reader; one who never comes is not waited for for ever.
void OutputFile::open_pipe() {
  for (int waited_ms = 0; waited_ms < wait_for_reader_ms; waited_ms += look_again_after_ms) {
    file_ = ::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (file_ >= 0 || errno != ENXIO) {
      break;
    }
    ::poll(nullptr, 0, look_again_after_ms);
    errno = ENXIO;
  }
  if (file_ >= 0) {
    ::fcntl(file_, F_SETFL, ::fcntl(file_, F_GETFL) & ~O_NONBLOCK);
  }
}

void OutputFile::take_over_permissions() const {
  if (place_.existing->st_uid != ::geteuid() || place_.existing->st_gid != ::getegid()) {
    // Only root may; for others the file becomes theirs, as with an editor.
    [[maybe_unused]] const int given = ::fchown(file_, place_.existing->st_uid, place_.existing->st_gid);
  }
  ::fchmod(file_, place_.existing->st_mode & 0777U);
}

// Keeps the reason of the first failure: later calls may change errno or succeed.
void OutputFile::note(bool success) {
  if (!success && failure_ == 0) {
    failure_ = errno != 0 ? errno : EIO;
  }
}

void OutputFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffer_bytes) {
    flush();
  }
}

void OutputFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty() && failure_ == 0) {
    const ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else {
      note(errno == EINTR);
    }
  }
  buffer_.clear();
}

void OutputFile::close_file() {
  if (file_ >= 0) {
    note(::close(std::exchange(file_, -1)) == 0);
  }
}

// The existing file stays the same one, with another content.
void OutputFile::write_over() {
  const int source =
      ::open((unfinished_ != nullptr ? unfinished_->path() : link_to(file_)).c_str(), O_RDONLY | O_CLOEXEC);
  note(source >= 0);
  close_file();
  if (failure_ == 0) {
    // Links were followed already: one that stands there now was put there by somebody else.
    file_ = ::open(place_.path().c_str(), O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC);
    note(file_ >= 0);
  }
  buffer_.resize(buffer_bytes);
  while (failure_ == 0) {
    const ssize_t length = ::read(source, buffer_.data(), buffer_bytes);
    note(length >= 0 || errno == EINTR);
    if (length == 0) {
      break;
    }
    buffer_.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    flush();
    buffer_.resize(buffer_bytes);
  }
  buffer_.clear();
  if (source >= 0) {
    ::close(source);
  }
}

void OutputFile::put_in_place() {
  if (is_elsewhere_) {
    write_over();
    return;
  }
  const std::string path = place_.path();
  if (unfinished_ == nullptr) {
    const std::string source = link_to(file_);
    if (!place_.existing &&
        ::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      return;
    }
    // A name can be given to a file, but not taken from another in the same step.
    unfinished_ = std::make_unique<UnfinishedName>(unfinished_path(place_.directory));
    note(::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, unfinished_->path().c_str(), AT_SYMLINK_FOLLOW) == 0);
  }
  if (failure_ == 0) {
    if (::rename(unfinished_->path().c_str(), path.c_str()) == 0) {
      unfinished_->keep();
    } else if (place_.existing && (errno == EBUSY || is_closed_directory(errno))) {
      write_over();  // something is mounted on it, or the directory is one like /tmp and the file another's
    } else {
      note(false);
    }
  }
  unfinished_.reset();
}

void OutputFile::finish() {
  flush();
  if (place_.kind == OutputPlace::Kind::plain && failure_ == 0) {
    if (unfinished_ != nullptr) {
      close_file();  // some file systems tell only now that they are full
    }
    if (failure_ == 0) {
      put_in_place();
    }
  }
  close_file();
  unfinished_.reset();
  if (failure_ != 0) {
    throw FileError(fmt::format("cannot write {} to {}: {}; make room or choose another place", what_, path_,
                                std::strerror(failure_)));
  }
}

void write_file(const std::string& path, std::string_view content, const std::string& what) {
  OutputFile file(path, what);
  file.write(content);
  file.finish();
}

void check_can_write(const std::string& path, const std::string& what) {
  const OutputPlace place = find_output_place(path);
  // A pipe that is opened and closed would be at its end for whoever reads it.
  if (place.problem != 0 || place.kind == OutputPlace::Kind::plain) {
    const OutputFile file(path, what);
  }
}

bool is_plain_output(const std::string& path) {
  return find_output_place(path).kind == OutputPlace::Kind::plain;
}

}  // namespace holdfast
