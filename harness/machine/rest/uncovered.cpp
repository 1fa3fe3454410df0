#include "harness/machine/rest/uncovered.h"

#include <fmt/format.h>
#include <linux/sched.h>
#include <sys/syscall.h>
#include <sys/time.h>

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
          false};
}

Uncovered process(const std::string& name) {
  return {fmt::format("starts another process ({}), which is not held", name), false};
}

std::string program_named(const Program& program, std::uint64_t address) {
  constexpr std::size_t bytes_max = 200;
  return program.read_text(address, bytes_max);
}

Uncovered other_program(const std::string& name) {
  return {
      fmt::format("becomes another program ({}), which leaves virtual time: name that program itself", name),
      false};
}

}  // namespace

Uncovered what_is_uncovered(const Call& call, const Program& program) {
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
      return {"uses io_uring, whose completions nobody sees", true};
    case SYS_io_setup:
      return {"uses asynchronous input and output (io_setup), whose completions nobody sees", true};
    case call_futex_wait:
      return {"waits by futex_wait, which is not held", true};
    case SYS_setsockopt:
      if (is_zero<timeval>(program, arguments[3])) {
        return {};
      }
      return {"sets a timeout for a socket (SO_RCVTIMEO, SO_SNDTIMEO), which goes by real time", false};
    default:
      return {fmt::format("waits with a timeout by system call {}, which is not held", call.number), false};
  }
}

}  // namespace holdfast::rest
