#include "harness/machine/rest/wait_filter.h"

#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "harness/machine/clock/clock_page_layout.h"
#include "harness/machine/rest/system_calls.h"

namespace holdfast::rest {
namespace {

constexpr std::uint32_t stop = SECCOMP_RET_USER_NOTIF;
constexpr std::uint32_t pass = SECCOMP_RET_ALLOW;
constexpr std::uint32_t jump_if_equal = BPF_JMP | BPF_JEQ | BPF_K;

// Writes the filter call by call. Each paragraph begins and ends with the call's number in the accumulator,
// and returns for its own call.
class Writer {
 public:
  Writer() {
    load(offsetof(seccomp_data, arch));
    jump(jump_if_equal, AUDIT_ARCH_X86_64, 1, 0);
    give(stop);  // of another machine: not covered
    load_number();
    constexpr std::uint32_t first_of_x32 = 0x40000000;
    jump(BPF_JMP | BPF_JGE | BPF_K, first_of_x32, 0, 1);
    give(stop);  // likewise
  }

  void always(std::span<const long> calls) {
    for (const long call : calls) {
      jump(jump_if_equal, number_of(call), 0, 1);
      give(stop);
    }
  }
  void always(std::initializer_list<long> calls) { always(std::span(calls.begin(), calls.size())); }
  // An int, such as a timeout in milliseconds.
  void unless_zero(long call, int argument) {
    only_for(call, 4);
    load(low_half(argument));
    jump(jump_if_equal, 0, 0, 1);
    give(pass);
    give(stop);
  }
  // A pointer, such as one to a timeout.
  void unless_null(long call, int argument) {
    only_for(call, 6);
    load(low_half(argument));
    jump(jump_if_equal, 0, 0, 3);
    load(low_half(argument) + sizeof(std::uint32_t));
    jump(jump_if_equal, 0, 0, 1);
    give(pass);
    give(stop);
  }
  // An int, such as an option.
  void if_equal(long call, int argument, std::uint32_t value) {
    only_for(call, 4);
    load(low_half(argument));
    jump(jump_if_equal, value, 0, 1);
    give(stop);
    give(pass);
  }
  // An option, and the value that it is set to.
  void if_set_to(long call, std::uint32_t first, std::uint32_t second) {
    only_for(call, 6);
    load(low_half(0));
    jump(jump_if_equal, first, 0, 3);
    load(low_half(1));
    jump(jump_if_equal, second, 0, 1);
    give(stop);
    give(pass);
  }
  // Filters of the program's own that take our place.
  void own_filters() {
    only_for(SYS_seccomp, 6);
    load(low_half(0));
    jump(jump_if_equal, SECCOMP_SET_MODE_STRICT, 2, 0);
    load(low_half(1));
    jump(BPF_JMP | BPF_JSET | BPF_K, SECCOMP_FILTER_FLAG_NEW_LISTENER, 0, 1);
    give(stop);
    give(pass);
  }
  void unless_has_bit(long call, int argument, std::uint32_t bit) {
    only_for(call, 4);
    load(low_half(argument));
    jump(BPF_JMP | BPF_JSET | BPF_K, bit, 0, 1);
    give(pass);
    give(stop);
  }
  // The clocks that a page replaces; the processor's own are the kernel's.
  void readings_of_clocks(long call) {
    only_for(call, 8);
    load(low_half(0));
    jump(BPF_JMP | BPF_JGT | BPF_K, HOLDFAST_LAST_CLOCK, 5, 0);
    state(BPF_MISC | BPF_TAX, 0);
    state(BPF_LD | BPF_IMM, 1);
    state(BPF_ALU | BPF_LSH | BPF_X, 0);
    jump(BPF_JMP | BPF_JSET | BPF_K, HOLDFAST_WALL_CLOCKS | HOLDFAST_MONO_CLOCKS, 0, 1);
    give(stop);
    give(pass);
  }
  // Timeouts for reading and writing a socket, which the kernel counts in real time.
  void socket_timeouts(long call) {
    constexpr int names = 4;
    only_for(call, 4 + names + 1);
    load(low_half(1));
    jump(jump_if_equal, SOL_SOCKET, 0, names + 1);
    load(low_half(2));
    std::uint8_t to_stop = names;
    for (const std::uint32_t name : {20U, 21U, 66U, 67U}) {  // SO_RCVTIMEO and SO_SNDTIMEO, old and new
      jump(jump_if_equal, name, to_stop, 0);
      --to_stop;
    }
    give(pass);
    give(stop);
  }
  // The last one, for it never returns to the number.
  void futex_waits(bool also_without_timeout) {
    jump(jump_if_equal, number_of(SYS_futex), 1, 0);
    give(pass);
    load(low_half(1));
    state(BPF_ALU | BPF_AND | BPF_K, static_cast<std::uint32_t>(FUTEX_CMD_MASK));
    jump(jump_if_equal, FUTEX_WAIT, also_without_timeout ? 10 : 5, 0);
    jump(jump_if_equal, FUTEX_WAIT_BITSET, also_without_timeout ? 9 : 4, 0);
    // With priority inheritance only if there is a timeout: those are not covered.
    jump(jump_if_equal, FUTEX_LOCK_PI, 3, 0);
    jump(jump_if_equal, FUTEX_LOCK_PI2, 2, 0);
    jump(jump_if_equal, FUTEX_WAIT_REQUEUE_PI, 1, 0);
    give(pass);
    load(low_half(3));
    jump(jump_if_equal, 0, 0, 3);
    load(low_half(3) + sizeof(std::uint32_t));
    jump(jump_if_equal, 0, 0, 1);
    give(pass);
    give(stop);
  }

  std::vector<sock_filter> take() { return std::move(filter_); }

 private:
  static std::uint32_t number_of(long call) { return static_cast<std::uint32_t>(call); }
  static std::uint32_t low_half(int argument) {
    return static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
                                      sizeof(std::uint64_t) * static_cast<std::size_t>(argument));
  }
  void state(int code, std::uint32_t value) {
    filter_.push_back({static_cast<std::uint16_t>(code), 0, 0, value});
  }
  void jump(int code, std::uint32_t value, int if_true, int if_false) {
    filter_.push_back({static_cast<std::uint16_t>(code), static_cast<std::uint8_t>(if_true),
                       static_cast<std::uint8_t>(if_false), value});
  }
  void load(std::size_t position) { state(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(position)); }
  void load_number() { load(offsetof(seccomp_data, nr)); }
  void give(std::uint32_t verdict) { state(BPF_RET | BPF_K, verdict); }
  void only_for(long call, int steps) { jump(jump_if_equal, number_of(call), 0, steps); }

  std::vector<sock_filter> filter_;
};

}  // namespace

std::vector<sock_filter> wait_filter(const FilterOptions& options) {
  Writer filter;
  filter.always({SYS_nanosleep, SYS_clock_nanosleep, SYS_ppoll, SYS_select, SYS_pselect6, call_epoll_pwait2,
                 call_futex_waitv});
  filter.unless_zero(SYS_poll, 2);
  filter.unless_zero(SYS_epoll_wait, 3);
  filter.unless_zero(SYS_epoll_pwait, 3);
  filter.readings_of_clocks(SYS_clock_gettime);
  filter.always({SYS_gettimeofday, SYS_time, SYS_times, SYS_sysinfo});
  // Signals, which come to threads that are held.
  filter.always(calls_that_send_signals);
  if (options.holds_random) {
    filter.always({SYS_getrandom, SYS_openat, SYS_open});
  }
  if (options.holds_every_wait) {
    filter.always({SYS_sched_yield, call_rseq});
  }
  // Not covered.
  filter.always({SYS_fork, SYS_vfork, call_clone3, SYS_execve, SYS_execveat, SYS_timerfd_settime,
                 SYS_setitimer, SYS_timer_settime, SYS_alarm, SYS_io_setup, call_io_uring_setup,
                 call_futex_wait, SYS_signalfd, SYS_signalfd4, SYS_clock_settime, SYS_settimeofday,
                 SYS_adjtimex, SYS_clock_adjtime});
  filter.if_equal(SYS_ptrace, 0, PTRACE_TRACEME);
  filter.if_set_to(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  filter.own_filters();
  filter.unless_has_bit(SYS_clone, 0, CLONE_THREAD);
  filter.unless_null(SYS_rt_sigtimedwait, 2);
  filter.unless_null(SYS_semtimedop, 3);
  filter.unless_null(SYS_mq_timedsend, 4);
  filter.unless_null(SYS_mq_timedreceive, 4);
  filter.unless_null(SYS_recvmmsg, 4);
  filter.socket_timeouts(SYS_setsockopt);
  filter.futex_waits(options.holds_every_wait);
  return filter.take();
}

}  // namespace holdfast::rest
