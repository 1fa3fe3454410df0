#include "harness/machine/rest/uncovered.h"

#include <fmt/format.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "harness/machine/rest/system_calls.h"

namespace holdfast::rest {
namespace {

// A timer's new setting: one of zero stops it, which is harmless.
template <typename Setting>
bool is_zero(const Program& program, std::uint64_t address) {
  const auto setting = program.read<Setting>(address);
  const Setting zero{};
  return setting && std::memcmp(&*setting, &zero, sizeof zero) == 0;
}

Uncovered timer(const std::string& name, bool is_harmless) {
  return {is_harmless ? "" : fmt::format("sets a timer of the kernel ({}), which goes by real time", name),
          0};
}

Uncovered process(const std::string& name) {
  return {fmt::format("starts another process ({}), which is not held", name), 0};
}

std::string program_named(const Program& program, std::uint64_t address) {
  constexpr std::size_t bytes_max = 200;
  return program.read_text(address, bytes_max);
}

Uncovered other_program(const std::string& name) {
  return {
      fmt::format("becomes another program ({}), which leaves virtual time: name that program itself", name),
      0};
}

// One who only looks waits for no time.
Uncovered timed_wait(const std::string& name, const Program& program, std::uint64_t timeout) {
  return {is_zero<timespec>(program, timeout)
              ? ""
              : fmt::format("waits with a timeout by {}, which is not held", name),
          0};
}

// Beside a filter of ours. One that only restricts it more is its own affair.
Uncovered own_filter(const Call& call) {
  return {call.number == SYS_prctl || call.arguments[0] == SECCOMP_SET_MODE_STRICT
              ? "locks itself up (seccomp, strict), so that it could not wait any more"
              : "listens to a seccomp filter of its own, of which there can be only one, and that is ours",
          0};
}

Uncovered machine_clock(const std::string& name) {
  return {fmt::format("reads or sets the clock of the machine ({}), which is not its own", name), EPERM};
}

}  // namespace

Uncovered what_is_uncovered(const Call& call, const Program& program) {
  if (!call.is_native) {
    return {"calls the kernel as a 32-bit program does (int 0x80), which is not held", 0};
  }
  const auto& arguments = call.arguments;
  switch (call.number) {
    case SYS_fork:
      return process("fork");
    case SYS_vfork:
      return process("vfork");
    case SYS_clone:
      return process("clone");
    case call_clone3:
      // Its flags come first in a structure; a thread is harmless.
      return (program.read<std::uint64_t>(arguments[0]).value_or(0) & CLONE_THREAD) != 0 ? Uncovered{}
                                                                                         : process("clone3");
    case SYS_execve:
      return other_program(program_named(program, arguments[0]));
    case SYS_execveat:
      return other_program(program_named(program, arguments[1]));
    case SYS_timerfd_settime:
      return timer("timerfd", is_zero<itimerspec>(program, arguments[2]));
    case SYS_setitimer:
      return timer("setitimer", arguments[1] == 0 || is_zero<itimerval>(program, arguments[1]));
    case SYS_timer_settime:
      return timer("timer_settime", is_zero<itimerspec>(program, arguments[2]));
    case SYS_alarm:
      return timer("alarm", static_cast<std::uint32_t>(arguments[0]) == 0);
    case call_io_uring_setup:
      return {"uses io_uring, whose completions nobody sees", ENOSYS};
    case SYS_io_setup:
      return {"uses asynchronous input and output (io_setup), whose completions nobody sees", ENOSYS};
    case call_futex_wait:
      return {"waits by futex_wait, which is not held", ENOSYS};
    case SYS_setsockopt:
      if (is_zero<timeval>(program, arguments[3])) {
        return {};
      }
      return {"sets a timeout for a socket (SO_RCVTIMEO, SO_SNDTIMEO), which goes by real time", 0};
    case SYS_rt_sigtimedwait:
      return timed_wait("sigtimedwait", program, arguments[2]);
    case SYS_semtimedop:
      return timed_wait("semtimedop", program, arguments[3]);
    case SYS_mq_timedsend:
      return timed_wait("mq_timedsend", program, arguments[4]);
    case SYS_mq_timedreceive:
      return timed_wait("mq_timedreceive", program, arguments[4]);
    case SYS_recvmmsg:
      return timed_wait("recvmmsg", program, arguments[4]);
    case SYS_signalfd:
    case SYS_signalfd4:
      return {"reads signals from a descriptor (signalfd), which only it can look at itself", 0};
    case SYS_ptrace:
      return {"asks to be traced (ptrace), so that its signals stop it and nobody lets it go on", 0};
    case SYS_prctl:
    case SYS_seccomp:
      return own_filter(call);
    case SYS_clock_settime:
      return machine_clock("clock_settime");
    case SYS_settimeofday:
      return machine_clock("settimeofday");
    case SYS_adjtimex:
    case SYS_clock_adjtime:
      return machine_clock("adjtimex");
    default:
      return {fmt::format("waits with a timeout by system call {}, which is not held", call.number), 0};
  }
}

}  // namespace holdfast::rest
