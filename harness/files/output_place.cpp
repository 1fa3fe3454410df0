#include "harness/files/output_place.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <memory>

namespace holdfast {
namespace {

constexpr int most_links = 40;  // as many as the kernel follows

struct MemoryFreer {
  void operator()(char* memory) const { std::free(memory); }
};

// Empty if there is no such directory; errno says why.
std::string real_directory(const std::string& path) {
  const std::unique_ptr<char, MemoryFreer> real(::realpath(path.c_str(), nullptr));
  return real == nullptr ? std::string() : std::string(real.get());
}

// Splits it at its last slash, and follows links in front of that. False: there is no such directory.
bool split(const std::string& path, OutputPlace& place) {
  const std::size_t slash = path.rfind('/');
  const std::string above = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  place.name = slash == std::string::npos ? path : path.substr(slash + 1);
  place.directory = real_directory(above);
  return !place.directory.empty();
}

// The number of one of our own descriptors; none if it is something else.
std::optional<int> descriptor_at(const OutputPlace& place) {
  int number = -1;
  const char* const end = place.name.data() + place.name.size();
  const auto [stop, error] = std::from_chars(place.name.data(), end, number);
  const bool is_number = error == std::errc() && stop == end && number >= 0;
  return is_number && place.directory == real_directory("/proc/self/fd") ? std::optional(number)
                                                                         : std::nullopt;
}

// Follows links until there is none, or a descriptor of ours: what that stands for must not be opened once
// more.
void follow_links(std::string path, OutputPlace& place) {
  for (int links = 0; links < most_links; ++links) {
    if (!split(path, place)) {
      place.problem = errno;
      return;
    }
    if (const std::optional<int> number = descriptor_at(place)) {
      place.kind = OutputPlace::Kind::descriptor;
      place.descriptor = *number;
      const int flags = ::fcntl(*number, F_GETFL);
      place.problem = flags < 0 ? errno : (flags & O_ACCMODE) == O_RDONLY ? EBADF : 0;
      return;
    }
    std::array<char, PATH_MAX> target{};
    const ssize_t length = ::readlink(place.path().c_str(), target.data(), target.size());
    if (length <= 0) {
      return;
    }
    path = std::string(target.data(), static_cast<std::size_t>(length));
    if (!path.starts_with('/')) {
      path.insert(0, place.directory + "/");
    }
  }
  place.problem = ELOOP;
}

}  // namespace

OutputPlace find_output_place(const std::string& path) {
  OutputPlace place;
  struct stat status{};
  const int problem = ::stat(path.c_str(), &status) == 0 ? 0 : errno;
  if (problem != 0 && problem != ENOENT) {
    place.problem = problem;  // also a link that the kernel forbids to follow
    return place;
  }
  if (problem == 0 && S_ISDIR(status.st_mode)) {
    place.problem = EISDIR;
    return place;
  }
  follow_links(path, place);
  if (place.problem != 0 || place.kind == OutputPlace::Kind::descriptor) {
    return place;
  }
  if (place.name.empty() || place.name == "." || place.name == "..") {
    place.problem = path.empty() ? ENOENT : EISDIR;
    return place;
  }
  if (problem == ENOENT) {
    return place;
  }
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) {
    place.problem = errno;
  }
  if (S_ISREG(status.st_mode)) {
    place.existing = status;
  } else {
    place.kind = S_ISFIFO(status.st_mode) ? OutputPlace::Kind::pipe : OutputPlace::Kind::device;
  }
  return place;
}

}  // namespace holdfast
