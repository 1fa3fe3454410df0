#include "harness/machine/rest/why_no_rest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "harness/machine/clock/launch.h"
#include "harness/machine/process/descriptor.h"
#include "harness/machine/process/send_signal.h"
#include "harness/machine/rest/program.h"
#include "harness/machine/rest/wait_filter.h"

namespace holdfast::rest {
namespace {

// A child that installs the filter, tells how that went, and waits to be looked at.
class Trial {
 public:
  Trial() {
    const std::vector<sock_filter> filter = wait_filter({});
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) {
      error_ = errno;
      return;
    }
    const live::Descriptor reading(ends[0]);
    live::Descriptor writing(ends[1]);
    const pid_t maker = ::getpid();
    process_ = ::fork();
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != maker) {
        ::_exit(1);  // it was killed before we asked to go with it, and nobody else would end us
      }
      be_tried(filter, ends[1]);
    }
    writing = live::Descriptor();
    error_ = process_ < 0 ? errno : EPERM;
    if (process_ > 0) {
      [[maybe_unused]] const ssize_t told = ::read(reading.get(), &error_, sizeof error_);
    }
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial() {
    if (live::send_signal(process_, SIGKILL)) {
      ::waitpid(process_, nullptr, 0);
    }
  }

  int error() const { return error_; }
  pid_t process() const { return process_; }

 private:
  [[noreturn]] static void be_tried(const std::vector<sock_filter>& filter, int telling) {
    sock_fprog description{};
    description.len = static_cast<unsigned short>(filter.size());
    description.filter = const_cast<sock_filter*>(filter.data());
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    const long listener =
        ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                  SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &description);
    const int error = listener < 0 ? errno : 0;
    [[maybe_unused]] const ssize_t told = ::write(telling, &error, sizeof error);
    for (;;) {
      ::pause();
    }
  }

  pid_t process_ = -1;
  int error_ = 0;
};

std::string needs(const std::string& what, int error, const std::string& remedy) {
  return fmt::format("Knowing when a program is at rest needs {}, which is not to be had here ({}): {}.",
                     what, std::strerror(error), remedy);
}

std::string why_no_filter(int error) {
  const std::string what = "a seccomp filter with user notification";
  if (error == EBUSY) {
    return needs(what, error, "we run under one already, and there can be only one; leave that sandbox");
  }
  if (error == EINVAL) {
    return needs(what, error, "it takes Linux 5.19 or newer");
  }
  return needs(what, error, "allow seccomp in the container's profile");
}

// The filter may be fine, and looking at the program forbidden.
std::string why_no_look(const Trial& trial) {
  const std::string remedy =
      "allow it in the container's seccomp profile, or set kernel.yama.ptrace_scope to 1 or 0";
  live::Descriptor self(static_cast<int>(::syscall(SYS_pidfd_open, trial.process(), 0)));
  if (!self) {
    return needs("pidfd_open", errno, remedy);
  }
  const Program program(trial.process(), std::move(self));
  if (!program.copy_of(0) && errno != EBADF) {
    return needs("copies of its descriptors (pidfd_getfd)", errno, remedy);
  }
  static const int here = 42;  // at the same address in the child
  int there = 0;
  const iovec ours{&there, sizeof there};
  const iovec theirs{const_cast<int*>(&here), sizeof here};
  if (::process_vm_readv(trial.process(), &ours, 1, &theirs, 1, 0) != sizeof there || there != here) {
    return needs("its memory (process_vm_readv)", errno, remedy);
  }
  const std::string slices = fmt::format("/proc/{}/task/{}/schedstat", trial.process(), trial.process());
  if (::access(slices.c_str(), R_OK) != 0) {
    return needs("/proc with schedstat", errno, "mount /proc, and take a kernel with CONFIG_SCHED_INFO");
  }
  return "";
}

}  // namespace

std::string find_out_why_no_rest() {
#if !defined(__x86_64__)
  return "Knowing when a program is at rest works on x86-64 only, and this is another machine.";
#else
  if (const std::string why = why_no_virtual_time(ClockWay::vdso); !why.empty()) {
    return why;
  }
  const Trial trial;
  return trial.error() != 0 ? why_no_filter(trial.error()) : why_no_look(trial);
#endif
}

std::string why_no_rest() {
  static const std::string answer = find_out_why_no_rest();
  return answer;
}

}  // namespace holdfast::rest
