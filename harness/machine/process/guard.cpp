#include "harness/machine/process/guard.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <system_error>

#include "harness/kernel/require.h"
#include "harness/machine/process/descriptor.h"
#include "harness/machine/process/fork_apart.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/process/send_signal.h"

namespace holdfast::live {
namespace {

// Whoever wears the mark, be it in another session, a child of nobody. How many there were.
int kill_who_wears(DescentMark mark) {
  int count = 0;
  std::error_code problem;
  for (std::filesystem::directory_iterator each("/proc", problem), end; !problem && each != end;
       each.increment(problem)) {
    const pid_t process = std::atoi(each->path().filename().c_str());
    if (process <= 1 || process == getpid()) {
      continue;
    }
    const Descriptor descriptor(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
    if (descriptor && is_worn_by(mark, process) &&
        send_signal_by_descriptor(descriptor.get(), process, SIGKILL)) {
      ++count;
    }
  }
  return count;
}

// The guard's side: reads what is ours until the pipe closes, which is when its maker has ended.
class Watch {
 public:
  Watch(int pipe, DescentMark mark) : pipe_(pipe), mark_(mark) {}

  void run() {
    std::string line;
    char letter = 0;
    for (;;) {
      const ssize_t got = read(pipe_, &letter, 1);
      if (got < 0 && errno == EINTR) {
        continue;
      }
      if (got <= 0) {
        break;
      }
      if (letter == '\0') {
        take(line);
        line.clear();
      } else {
        line += letter;
      }
    }
    clean_up();
  }

 private:
  void take(const std::string& line) {
    const std::string what = line.substr(1);
    switch (line.front()) {
      case '+':
        processes_[what] = static_cast<int>(syscall(SYS_pidfd_open, std::atoi(what.c_str()), 0));
        return;
      case '-':
        if (const auto known = processes_.find(what); known != processes_.end()) {
          close(known->second);
          processes_.erase(known);
        }
        return;
      case 'd':
        directories_.insert(what);
        return;
      default:
        directories_.erase(what);
    }
  }

  void clean_up() const {
    for (const auto& [number, descriptor] : processes_) {
      const pid_t process = std::atoi(number.c_str());
      // While it is there, a group of its number is its own: what it started goes with it.
      if (send_signal_by_descriptor(descriptor, process, 0)) {
        send_signal_to_group(process, SIGKILL);
      }
      send_signal_by_descriptor(descriptor, process, SIGKILL);
    }
    // Again for those that were started meanwhile.
    constexpr int rounds_max = 20;
    for (int round = 0; round < rounds_max && kill_who_wears(mark_) > 0; ++round) {
      poll(nullptr, 0, 1);
    }
    for (const auto& [number, descriptor] : processes_) {
      pollfd ended{descriptor, POLLIN, 0};
      poll(&ended, 1, 2000);
    }
    // To walk through a directory takes descriptors, of which there may be few.
    close_range(0, ~0U, 0);
    for (const std::string& directory : directories_) {
      std::error_code ignored;
      std::filesystem::remove_all(directory, ignored);
    }
  }

  int pipe_;
  DescentMark mark_;
  std::map<std::string, int> processes_;
  std::set<std::string> directories_;
};

[[noreturn]] void be_the_guard(int pipe, DescentMark mark) {
  wear_mark_of_ones_own();
  // Whoever reads our maker's output must not wait for us, nor must another file, pipe or socket of its stay
  // open because of us.
  if (pipe > 3) {
    close_range(3, static_cast<unsigned>(pipe - 1), 0);
  }
  close_range(static_cast<unsigned>(pipe + 1), ~0U, 0);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int descriptor = 0; nowhere >= 0 && descriptor < 3; ++descriptor) {
    dup2(nowhere, descriptor);
  }
  Watch(pipe, mark).run();
  _exit(0);
}

}  // namespace

Guard& Guard::instance() {
  static Guard guard;
  return guard;
}

Guard::Guard() : mark_(new_descent_mark()) {
  signal(SIGPIPE, SIG_IGN);  // a process of ours that goes away is noticed when writing to it
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw LiveError("no pipe can be made for the guard that cleans up: too many open files.");
  }
  process_ = fork_apart();
  if (process_ < 0) {
    const std::string reason = std::strerror(errno);
    close(ends[0]);
    close(ends[1]);
    throw LiveError("no process can be started for the guard that cleans up: " + reason + ".");
  }
  if (process_ == 0) {
    close(ends[1]);
    be_the_guard(ends[0], mark_);
  }
  close(ends[0]);
  pipe_ = ends[1];
}

void Guard::tell(const std::string& message) const {
  // Short enough to be written whole or not at all; the end of a message is its zero.
  std::size_t written = 0;
  while (written <= message.size()) {
    const ssize_t count = write(pipe_, message.c_str() + written, message.size() + 1 - written);
    if (count < 0 && errno != EINTR) {
      return;  // the guard is gone: somebody killed it
    }
    written += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
}

void Guard::watch(pid_t process) {
  require(process > 1, "whoever is killed at the end is a process that we started");
  tell("+" + std::to_string(process));
}

void Guard::watch(const std::filesystem::path& directory) {
  require(directory.is_absolute() && directory.has_filename(),
          "what is removed at the end is a place of its own, wherever we are by then");
  tell("d" + directory.string());
}

void Guard::forget(pid_t process) {
  tell("-" + std::to_string(process));
}

void Guard::forget(const std::filesystem::path& directory) {
  tell("x" + directory.string());
}

}  // namespace holdfast::live
