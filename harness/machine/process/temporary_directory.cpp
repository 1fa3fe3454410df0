#include "harness/machine/process/temporary_directory.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "harness/files/random_name.h"
#include "harness/files/temporary_place.h"
#include "harness/machine/process/guard.h"
#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace {

// The name of a socket has at most 107 bytes, and ours lie a directory deeper.
constexpr std::size_t longest_plain_path = 75;

bool is_plain_path(const std::string& path) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=@,%~";
  return path.size() <= longest_plain_path && path.find_first_not_of(plain) == std::string::npos;
}

// The guard hears of a name before anything stands there, so that nothing is left by whoever is killed in
// between. Nobody else has such a name.
std::filesystem::path watched_name(const std::string& place) {
  std::filesystem::path path = fmt::format("{}/holdfast-{}", place, random_name());
  Guard::instance().watch(path);
  return path;
}

[[noreturn]] void refuse(const std::string& place, int problem) {
  throw LiveError(fmt::format("no directory can be made in {}: {}; $TMPDIR chooses another place.", place,
                              std::strerror(problem)));
}

// A link with a plain name to it.
std::filesystem::path plain_link_to(const std::filesystem::path& directory) {
  for (const char* const place : {"/tmp", "/dev/shm", "/var/tmp"}) {
    std::filesystem::path link = watched_name(place);
    if (::symlink(directory.c_str(), link.c_str()) == 0) {
      return link;
    }
    Guard::instance().forget(link);
  }
  return {};
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
  const std::string place = temporary_place();
  directory_ = watched_name(place);
  if (::mkdir(directory_.c_str(), 0700) != 0) {
    const int problem = errno;
    Guard::instance().forget(directory_);
    refuse(place, problem);
  }
  path_ = is_plain_path(directory_.string()) ? directory_ : plain_link_to(directory_);
  if (path_.empty()) {
    remove(directory_);
    throw LiveError(
        fmt::format("the name of the directory {} is too long, or has characters that programs cannot take; "
                    "$TMPDIR chooses another place.",
                    place));
  }
}

TemporaryDirectory::~TemporaryDirectory() {
  if (path_ != directory_) {
    remove(path_);
  }
  remove(directory_);
}

void TemporaryDirectory::remove(const std::filesystem::path& path) {
  std::error_code problem;
  std::filesystem::remove_all(path, problem);
  // If somebody was still at work in there, the guard tries once more when we end.
  if (!problem) {
    Guard::instance().forget(path);
  }
}

}  // namespace holdfast::live
