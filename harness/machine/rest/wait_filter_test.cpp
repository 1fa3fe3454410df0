// Runs the filter on calls as the kernel would, in a small machine of its own.
#include "harness/machine/rest/wait_filter.h"

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

#include <cstring>
#include <initializer_list>

#include "harness/machine/rest/system_calls.h"

namespace holdfast::rest {
namespace wait_filter_test {

constexpr std::uint64_t pointer = 0x7fff'0000'0000;  // whose low half is zero

std::uint32_t run(const std::vector<sock_filter>& filter, const seccomp_data& data) {
  std::uint32_t value = 0;
  std::uint32_t other = 0;
  for (std::size_t at = 0; at < filter.size(); ++at) {
    const sock_filter& step = filter[at];
    const auto jump = [&](bool is_true) { at += is_true ? step.jt : step.jf; };
    switch (step.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        std::memcpy(&value, reinterpret_cast<const char*>(&data) + step.k, sizeof value);
        break;
      case BPF_LD | BPF_IMM:
        value = step.k;
        break;
      case BPF_MISC | BPF_TAX:
        other = value;
        break;
      case BPF_ALU | BPF_AND | BPF_K:
        value &= step.k;
        break;
      case BPF_ALU | BPF_LSH | BPF_X:
        value <<= other;
        break;
      case BPF_JMP | BPF_JEQ | BPF_K:
        jump(value == step.k);
        break;
      case BPF_JMP | BPF_JGE | BPF_K:
        jump(value >= step.k);
        break;
      case BPF_JMP | BPF_JGT | BPF_K:
        jump(value > step.k);
        break;
      case BPF_JMP | BPF_JSET | BPF_K:
        jump((value & step.k) != 0);
        break;
      case BPF_RET | BPF_K:
        return step.k;
      default:
        ADD_FAILURE() << "an unknown step: " << step.code;
        return 0;
    }
  }
  ADD_FAILURE() << "the filter runs over its end";
  return 0;
}

bool stops(const FilterOptions& options, long call, std::initializer_list<std::uint64_t> arguments = {}) {
  seccomp_data data{};
  data.arch = AUDIT_ARCH_X86_64;
  data.nr = static_cast<int>(call);
  std::copy(arguments.begin(), arguments.end(), data.args);
  return run(wait_filter(options), data) == SECCOMP_RET_USER_NOTIF;
}

bool stops(long call, std::initializer_list<std::uint64_t> arguments = {}) {
  const bool with_all = stops(FilterOptions{}, call, arguments);
  EXPECT_EQ(stops({.holds_every_wait = false, .holds_random = false}, call, arguments), with_all) << call;
  return with_all;
}

TEST(WaitFilter, StopsWaitsUnlessTheirTimeoutIsZero) {
  for (const long call : {SYS_nanosleep, SYS_clock_nanosleep, SYS_ppoll, SYS_select, SYS_pselect6,
                          call_epoll_pwait2, call_futex_waitv}) {
    EXPECT_TRUE(stops(call)) << call;
  }
  EXPECT_TRUE(stops(SYS_poll, {1, 1, 1}));
  EXPECT_TRUE(stops(SYS_poll, {1, 1, ~0ULL}));
  EXPECT_FALSE(stops(SYS_poll, {1, 1, 0}));
  for (const long call : {SYS_epoll_wait, SYS_epoll_pwait}) {
    EXPECT_TRUE(stops(call, {1, 1, 1, 1}));
    EXPECT_FALSE(stops(call, {1, 1, 1, 0}));
  }
}

TEST(WaitFilter, StopsFutexWaitsWithATimeoutOrAll) {
  const FilterOptions all{.holds_every_wait = true, .holds_random = false};
  const FilterOptions timed{.holds_every_wait = false, .holds_random = false};
  for (const std::uint64_t wait : {FUTEX_WAIT, FUTEX_WAIT_BITSET, FUTEX_WAIT_PRIVATE,
                                   FUTEX_WAIT_BITSET_PRIVATE, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME}) {
    EXPECT_TRUE(stops(timed, SYS_futex, {1, wait, 1, pointer})) << wait;
    EXPECT_TRUE(stops(timed, SYS_futex, {1, wait, 1, 1})) << wait;
    EXPECT_FALSE(stops(timed, SYS_futex, {1, wait, 1, 0})) << wait;
    EXPECT_TRUE(stops(all, SYS_futex, {1, wait, 1, 0})) << wait;
  }
  for (const FilterOptions& options : {all, timed}) {
    EXPECT_FALSE(stops(options, SYS_futex, {1, FUTEX_WAKE, 1, pointer}));
    EXPECT_FALSE(stops(options, SYS_futex, {1, FUTEX_LOCK_PI, 1, 0}));
    EXPECT_TRUE(stops(options, SYS_futex, {1, FUTEX_LOCK_PI, 1, pointer}));
    EXPECT_TRUE(stops(options, SYS_futex, {1, FUTEX_WAIT_REQUEUE_PI, 1, 1}));
  }
}

TEST(WaitFilter, StopsReadingsOfTheReplacedClocks) {
  EXPECT_TRUE(stops(SYS_times));
  EXPECT_TRUE(stops(SYS_sysinfo));
  for (const std::uint64_t clock :
       {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME, CLOCK_TAI}) {
    EXPECT_TRUE(stops(SYS_clock_gettime, {clock})) << clock;
  }
  for (const std::uint64_t clock :
       {std::uint64_t{CLOCK_PROCESS_CPUTIME_ID}, std::uint64_t{CLOCK_THREAD_CPUTIME_ID}, std::uint64_t{12},
        std::uint64_t{0xfffffff6}}) {
    EXPECT_FALSE(stops(SYS_clock_gettime, {clock})) << clock;
  }
}

TEST(WaitFilter, StopsRandomNumbersAndTurnsIfAskedFor) {
  for (const long call : {SYS_getrandom, SYS_openat, SYS_open}) {
    EXPECT_TRUE(stops({.holds_every_wait = false, .holds_random = true}, call));
    EXPECT_FALSE(stops({.holds_every_wait = true, .holds_random = false}, call));
  }
  for (const long call : {SYS_sched_yield, call_rseq}) {
    EXPECT_TRUE(stops({.holds_every_wait = true, .holds_random = false}, call));
    EXPECT_FALSE(stops({.holds_every_wait = false, .holds_random = true}, call));
  }
}

TEST(WaitFilter, StopsWhatIsNotCovered) {
  for (const long call : {SYS_fork, SYS_vfork, SYS_execve, SYS_timerfd_settime, SYS_setitimer, SYS_alarm,
                          call_io_uring_setup, call_clone3}) {
    EXPECT_TRUE(stops(call)) << call;
  }
  for (const int call : {SYS_signalfd4, SYS_clock_settime, SYS_settimeofday, SYS_adjtimex, SYS_clock_adjtime,
                         0x40000000 + SYS_nanosleep}) {
    EXPECT_TRUE(stops(call)) << call;
  }
  EXPECT_TRUE(stops(SYS_ptrace, {PTRACE_TRACEME}));
  EXPECT_FALSE(stops(SYS_ptrace, {PTRACE_SEIZE}));
  EXPECT_TRUE(stops(SYS_prctl, {PR_SET_SECCOMP, SECCOMP_MODE_STRICT}));
  EXPECT_FALSE(stops(SYS_prctl, {PR_SET_SECCOMP, SECCOMP_MODE_FILTER}));
  EXPECT_FALSE(stops(SYS_prctl, {PR_SET_NAME, SECCOMP_MODE_STRICT}));
  EXPECT_TRUE(stops(SYS_seccomp, {SECCOMP_SET_MODE_STRICT}));
  EXPECT_TRUE(stops(SYS_seccomp, {SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER}));
  EXPECT_FALSE(stops(SYS_seccomp, {SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC}));
  EXPECT_TRUE(stops(SYS_clone, {SIGCHLD}));
  EXPECT_FALSE(stops(SYS_clone, {CLONE_VM | CLONE_THREAD}));
  EXPECT_TRUE(stops(SYS_rt_sigtimedwait, {1, 1, pointer}));
  EXPECT_FALSE(stops(SYS_rt_sigtimedwait, {1, 1, 0}));
  EXPECT_TRUE(stops(SYS_setsockopt, {1, SOL_SOCKET, SO_RCVTIMEO}));
  EXPECT_TRUE(stops(SYS_setsockopt, {1, SOL_SOCKET, SO_SNDTIMEO}));
  EXPECT_FALSE(stops(SYS_setsockopt, {1, SOL_SOCKET, SO_REUSEADDR}));
  EXPECT_FALSE(stops(SYS_setsockopt, {1, 6, SO_RCVTIMEO}));
}

TEST(WaitFilter, StopsSignalsThatAreSent) {
  for (const long call : calls_that_send_signals) {
    EXPECT_TRUE(stops(call)) << call;
  }
}

TEST(WaitFilter, LetsTheRestPassAndStopsCallsOfAnotherMachine) {
  for (const long call : {SYS_read, SYS_write, SYS_mmap, SYS_exit_group, SYS_recvfrom, SYS_accept}) {
    EXPECT_FALSE(stops(call)) << call;
  }
  seccomp_data data{};
  data.arch = AUDIT_ARCH_I386;
  EXPECT_EQ(run(wait_filter({}), data), SECCOMP_RET_USER_NOTIF);
}

}  // namespace wait_filter_test
}  // namespace holdfast::rest
