#include "harness/machine/rest/threads_look.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/machine/process/descriptor.h"
#include "harness/machine/process/live_error.h"

namespace holdfast::rest {
namespace {

// One who cannot be looked at is not known to sleep. Never happens to one who is only gone.
[[noreturn]] void cannot_look() {
  throw live::LiveError(fmt::format("the threads of a program cannot be looked at in /proc: {}.",
                                    errno == EMFILE || errno == ENFILE
                                        ? "we have too many open files ourselves; raise `ulimit -n`"
                                        : std::strerror(errno)));
}

// A file of /proc is read whole by one read; empty: the thread is gone.
std::string content_of(int directory, const std::string& name) {
  const live::Descriptor file(::openat(directory, name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file && errno != ENOENT && errno != ESRCH) {
    cannot_look();
  }
  std::array<char, 1024> bytes{};
  const ssize_t got = file ? ::read(file.get(), bytes.data(), bytes.size()) : 0;
  return {bytes.data(), got < 0 ? 0 : static_cast<std::size_t>(got)};
}

// 'S' asleep, 'R' running, 'Z' ended; 0: gone. Its name, in brackets, may hold anything.
char state_in(std::string_view stat) {
  const std::size_t at = stat.rfind(") ");
  return at == std::string_view::npos || at + 2 >= stat.size() ? '\0' : stat[at + 2];
}

// "time on a processor, time in the queue, slices"
std::uint64_t slices_in(std::string_view schedstat) {
  const std::size_t first = schedstat.rfind(' ');
  std::uint64_t count = 0;
  if (first != std::string_view::npos) {
    std::from_chars(schedstat.data() + first + 1, schedstat.data() + schedstat.size(), count);
  }
  return count;
}

}  // namespace

bool is_ending(pid_t process, pid_t thread) {
  const char state = state_in(content_of(AT_FDCWD, fmt::format("/proc/{}/task/{}/stat", process, thread)));
  return state != 'S' && state != 'D' && state != 'T';
}

bool ThreadsLook::add(pid_t process, const std::function<bool(pid_t)>& is_held) {
  const auto closing = [](DIR* opened) { ::closedir(opened); };
  const std::unique_ptr<DIR, decltype(closing)> directory(
      ::opendir(fmt::format("/proc/{}/task", process).c_str()), closing);
  if (!directory) {
    if (errno != ENOENT && errno != ESRCH) {
      cannot_look();
    }
    return false;
  }
  for (const dirent* entry = ::readdir(directory.get()); entry != nullptr;
       entry = ::readdir(directory.get())) {
    const std::string name = entry->d_name;
    pid_t thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    if (thread <= 0 || is_held(thread)) {
      continue;
    }
    const int tasks = ::dirfd(directory.get());
    const char state = state_in(content_of(tasks, name + "/stat"));
    if (state == '\0' || state == 'Z' || state == 'X') {
      continue;
    }
    if (state != 'S' && state != 'T') {  // one that somebody stopped does nothing, either
      return false;
    }
    slices_[thread] = slices_in(content_of(tasks, name + "/schedstat"));
  }
  return true;
}

}  // namespace holdfast::rest
