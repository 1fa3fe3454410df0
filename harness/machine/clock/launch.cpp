#include "harness/machine/clock/launch.h"

#include <sys/auxv.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "harness/kernel/require.h"
#include "harness/machine/clock/clock_page_layout.h"
#include "harness/machine/clock/traced_program.h"
#include "harness/machine/clock/vdso.h"

namespace holdfast {
namespace {

// Starts a child that only asks to be traced, and gives the error that it met; 0: it may be.
int error_of_tracing() {
  const pid_t child = ::fork();
  if (child < 0) {
    return errno;
  }
  if (child == 0) {
    ::_exit(let_parent_trace() ? 0 : errno);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}

std::string why_no_redirection() {
#if !defined(__x86_64__)
  return "Virtual time for programs without libc works on x86-64 only, and this is another machine.";
#else
  if (::getauxval(AT_SYSINFO_EHDR) == 0) {
    return "Virtual time for programs without libc needs the kernel's vDSO, which is switched off here "
           "(vdso=0).";
  }
  if (const int error = error_of_tracing(); error != 0) {
    return std::string("Virtual time for programs without libc needs ptrace, which is forbidden here (") +
           std::strerror(error) +
           "): allow it in the container's seccomp profile, or set kernel.yama.ptrace_scope to 1 or 0.";
  }
  return "";
#endif
}

// The loader takes blanks and colons for the end of a name, and has no way to quote them.
std::string preloadable(const std::filesystem::path& shim) {
  std::string name = std::filesystem::absolute(shim).string();
  if (name.find_first_of(" :") != std::string::npos) {
    throw std::runtime_error("cannot preload " + name +
                             ": its path has a blank or a colon; choose a directory without.");
  }
  return name;
}

}  // namespace

ClockLaunch::ClockLaunch(const std::filesystem::path& page, const std::filesystem::path& shim, ClockWay way)
    : page_(std::filesystem::absolute(page)), way_(way) {
  if (way_ == ClockWay::libc) {
    environment_ = {{"LD_PRELOAD", preloadable(shim)}, {HOLDFAST_CLOCK_VARIABLE, page_.string()}};
#ifdef HOLDFAST_SANITIZED
    // The program may be ourselves. Its sanitizer wants to be loaded first, where the clock has to be.
    const char* const options = std::getenv("ASAN_OPTIONS");
    environment_.emplace_back("ASAN_OPTIONS",
                              std::string(options != nullptr ? options : "") + ":verify_asan_link_order=0");
#endif
  }
}

bool ClockLaunch::in_child() const noexcept {
  return way_ == ClockWay::libc || let_parent_trace();
}

std::uint64_t ClockLaunch::in_parent(pid_t child) const {
  require(child > 1, "whoever is put on a page is a child of ours");
  return way_ == ClockWay::vdso ? put_on_page(child, page_) : 0;
}

void ClockLaunch::after_move(pid_t program) const {
  if (way_ == ClockWay::vdso) {
    wake_timed_waits(program);
  }
}

std::string why_no_virtual_time(ClockWay way) {
  if (way == ClockWay::libc) {
    return "";  // holdfast was built with the library, so there is a libc that it suits
  }
  static const std::string answer = why_no_redirection();
  return answer;
}

}  // namespace holdfast
