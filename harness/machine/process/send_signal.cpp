#include "harness/machine/process/send_signal.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace holdfast::live {
namespace {

bool may_be_signalled(pid_t process) noexcept {
  return process > 1;
}

}  // namespace

bool send_signal(pid_t process, int number) noexcept {
  return may_be_signalled(process) && kill(process, number) == 0;
}

bool send_signal_to_group(pid_t leader, int number) noexcept {
  return may_be_signalled(leader) && kill(-leader, number) == 0;
}

bool send_signal_to_thread(pid_t process, pid_t thread, int number) noexcept {
  return may_be_signalled(process) && may_be_signalled(thread) &&
         syscall(SYS_tgkill, process, thread, number) == 0;
}

bool send_signal_by_descriptor(int descriptor, pid_t process, int number) noexcept {
  return may_be_signalled(process) && descriptor >= 0 &&
         syscall(SYS_pidfd_send_signal, descriptor, number, nullptr, 0) == 0;
}

}  // namespace holdfast::live
