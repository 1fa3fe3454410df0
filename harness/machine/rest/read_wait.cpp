#include "harness/machine/rest/read_wait.h"

#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <map>

#include "harness/machine/clock/clock_page_layout.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/rest/system_calls.h"
#include "harness/machine/rest/units.h"

namespace holdfast::rest {
namespace {

// Later than this (a hundred years) is never, and cannot overflow.
constexpr std::int64_t never_s = 100LL * 366 * 86400;

// What futex_waitv() takes; older headers do not have it.
struct WordToWaitFor {
  std::uint64_t value;
  std::uint64_t address;
  std::uint32_t flags;
  std::uint32_t reserved;
};

std::string why_no_copy(int error) {
  switch (error) {
    case EMFILE:
    case ENFILE:
      return "we have too many open files ourselves; raise `ulimit -n`";
    case EPERM:
      return "it may not be looked at; does it forbid that itself (PR_SET_DUMPABLE), or is pidfd_getfd "
             "forbidden here?";
    case EOPNOTSUPP:
      return "the thread that waits has descriptors of its own, or the first thread has ended, for which it "
             "takes Linux 6.9";
    default:
      return std::strerror(error);
  }
}

class Reader {
 public:
  Reader(const Call& call, const Program& program, const ClockReadings& now)
      : call_(call), program_(program), now_(now) {
    wait_.call = call;
  }

  std::optional<HeldWait> read() {
    const bool is_well = read_by_number();
    return is_well ? std::optional(std::move(wait_)) : std::nullopt;
  }

 private:
  bool read_by_number() {
    switch (call_.number) {
      case SYS_nanosleep:
        return sleep_for(call_.arguments[0]);
      case SYS_clock_nanosleep:
        return read_clock_sleep();
      case SYS_poll:
        return read_poll() && wait_milliseconds(2);
      case SYS_ppoll:
        return read_poll() && wait_timespec(call_.arguments[2]);
      case SYS_select:
        return read_select() && wait_timeval(call_.arguments[4]);
      case SYS_pselect6:
        return read_select() && wait_timespec(call_.arguments[4]);
      case SYS_epoll_wait:
      case SYS_epoll_pwait:
        return read_epoll() && wait_milliseconds(3);
      case call_epoll_pwait2:
        return read_epoll() && wait_timespec(call_.arguments[3]);
      case SYS_futex:
        return read_futex();
      case call_futex_waitv:
        return read_words();
      default:
        wait_.kind = WaitKind::turn;
        wait_.lets_all_first = call_.number == SYS_sched_yield;
        wait_.goes_on = call_.number == call_rseq;  // by which glibc begins a thread
        return true;
    }
  }

  // A deadline of a relative time: none if it never comes. False: the kernel would not take it.
  bool wait_length(std::int64_t seconds, std::int64_t nanoseconds) {
    if (seconds < 0 || nanoseconds < 0 || nanoseconds >= second_ns) {
      return false;
    }
    if (seconds < never_s) {
      wait_.deadline = {WaitClock::monotonic, now_.mono_ns + seconds * second_ns + nanoseconds};
    }
    return true;
  }
  bool wait_milliseconds(int argument) {
    const auto length_ms = static_cast<std::int32_t>(call_.arguments[static_cast<std::size_t>(argument)]);
    const std::int64_t ns = length_ms * millisecond_ns;
    return length_ms < 0 || wait_length(ns / second_ns, ns % second_ns);
  }
  bool wait_timespec(std::uint64_t address) {
    if (address == 0) {
      return true;
    }
    const auto length = program_.read<timespec>(address);
    return length && wait_length(length->tv_sec, length->tv_nsec);
  }
  bool wait_timeval(std::uint64_t address) {
    if (address == 0) {
      return true;
    }
    const auto length = program_.read<timeval>(address);
    return length && wait_length(length->tv_sec + length->tv_usec / (second_ns / microsecond_ns),
                                 length->tv_usec % (second_ns / microsecond_ns) * microsecond_ns);
  }
  bool wait_until(WaitClock clock, std::uint64_t address) {
    const auto time = program_.read<timespec>(address);
    if (!time || time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= second_ns) {
      return false;
    }
    if (time->tv_sec < never_s) {
      wait_.deadline = {clock, time->tv_sec * second_ns + time->tv_nsec};
    }
    return true;
  }

  bool sleep_for(std::uint64_t address) {
    wait_.kind = WaitKind::sleep;
    return address != 0 && wait_timespec(address);
  }
  bool read_clock_sleep() {
    const auto clock = static_cast<std::uint32_t>(call_.arguments[0]);
    const std::uint32_t bit = clock <= HOLDFAST_LAST_CLOCK ? 1U << clock : 0U;
    constexpr std::uint32_t for_readings_only =
        1U << CLOCK_REALTIME_COARSE | 1U << CLOCK_MONOTONIC_COARSE | 1U << CLOCK_MONOTONIC_RAW;
    if ((bit & (HOLDFAST_WALL_CLOCKS | HOLDFAST_MONO_CLOCKS) & ~for_readings_only) == 0) {
      return false;  // a sleep on a processor's time, or on a clock that nobody can sleep on
    }
    if ((call_.arguments[1] & TIMER_ABSTIME) == 0) {
      return sleep_for(call_.arguments[2]);
    }
    wait_.kind = WaitKind::sleep;
    return wait_until((bit & HOLDFAST_WALL_CLOCKS) != 0 ? WaitClock::wall : WaitClock::monotonic,
                      call_.arguments[2]);
  }

  // False: it is not open.
  bool watch(int number, std::size_t position, short events) {
    live::Descriptor copy = program_.copy_of(number);
    if (!copy && errno != EBADF && errno != ESRCH) {
      throw live::LiveError(
          fmt::format("process {} waits for its descriptor {}, of which no copy can be had: {}.",
                      program_.process(), number, why_no_copy(errno)));
    }
    const bool is_open = static_cast<bool>(copy);
    wait_.descriptors.push_back({number, position, events, std::move(copy)});
    return is_open;
  }
  bool read_poll() {
    wait_.kind = WaitKind::descriptors;
    constexpr std::uint64_t count_max = 1 << 20;
    if (call_.arguments[1] > count_max) {
      return false;
    }
    std::vector<pollfd> asked(call_.arguments[1]);
    if (!asked.empty() && !program_.read(call_.arguments[0], asked.data(), asked.size() * sizeof(pollfd))) {
      return false;
    }
    for (std::size_t position = 0; position < asked.size(); ++position) {
      if (asked[position].fd >= 0 && !watch(asked[position].fd, position, asked[position].events)) {
        return false;
      }
    }
    return true;
  }
  bool read_select() {
    wait_.kind = WaitKind::descriptors;
    constexpr std::array<short, 3> events = {POLLIN, POLLOUT, POLLPRI};
    constexpr std::uint32_t count_max = 1 << 20;
    const auto count = static_cast<std::uint32_t>(call_.arguments[0]);
    if (count > count_max) {
      return false;
    }
    std::map<int, std::pair<std::size_t, short>> asked;  // by number: which sets, and which events
    for (std::size_t set = 0; set < events.size(); ++set) {
      std::vector<unsigned char> bits(static_cast<std::size_t>((count + 63) / 64) * 8);
      const std::uint64_t address = call_.arguments[1 + set];
      if (address == 0 || bits.empty()) {
        continue;
      }
      if (!program_.read(address, bits.data(), bits.size())) {
        return false;
      }
      for (std::uint32_t number = 0; number < count; ++number) {
        if ((bits[number / 8] >> number % 8 & 1) != 0) {
          auto& [sets, wanted] = asked[static_cast<int>(number)];
          sets |= std::size_t{1} << set;
          wanted = static_cast<short>(wanted | events[set]);
        }
      }
    }
    for (const auto& [number, how] : asked) {
      if (!watch(number, how.first, how.second)) {
        return false;
      }
    }
    return true;
  }
  bool read_epoll() {
    wait_.kind = WaitKind::events;
    const bool has_room = static_cast<std::int32_t>(call_.arguments[2]) > 0;
    return has_room && watch(static_cast<int>(call_.arguments[0]), 0, POLLIN);
  }

  bool read_futex() {
    wait_.kind = WaitKind::words;
    wait_.words = {{call_.arguments[0], static_cast<std::uint32_t>(call_.arguments[2])}};
    if (call_.arguments[3] == 0) {
      return true;
    }
    if ((call_.arguments[1] & FUTEX_CMD_MASK) == FUTEX_WAIT) {
      return wait_timespec(call_.arguments[3]);
    }
    const bool on_wall = (call_.arguments[1] & FUTEX_CLOCK_REALTIME) != 0;
    return wait_until(on_wall ? WaitClock::wall : WaitClock::monotonic, call_.arguments[3]);
  }
  bool read_words() {
    wait_.kind = WaitKind::words;
    constexpr std::uint64_t count_max = 128;  // the kernel's
    std::vector<WordToWaitFor> asked(std::min(call_.arguments[1], count_max));
    if (asked.empty() || call_.arguments[2] != 0 ||
        !program_.read(call_.arguments[0], asked.data(), asked.size() * sizeof(WordToWaitFor))) {
      return false;
    }
    for (const WordToWaitFor& word : asked) {
      wait_.words.push_back({word.address, static_cast<std::uint32_t>(word.value)});
    }
    const bool on_wall = call_.arguments[4] == CLOCK_REALTIME;
    return call_.arguments[3] == 0 ||
           wait_until(on_wall ? WaitClock::wall : WaitClock::monotonic, call_.arguments[3]);
  }

  const Call& call_;
  const Program& program_;
  const ClockReadings& now_;
  HeldWait wait_;
};

}  // namespace

std::optional<HeldWait> read_wait(const Call& call, const Program& program, const ClockReadings& now,
                                  std::int64_t back_off_ns) {
  std::optional<HeldWait> wait = Reader(call, program, now).read();
  if (wait && wait->kind == WaitKind::sleep && wait->deadline &&
      wait->deadline->clock == WaitClock::monotonic && wait->deadline->at_ns - now.mono_ns <= back_off_ns) {
    wait->kind = WaitKind::turn;
    wait->lets_all_first = true;
  } else if (wait && wait->kind != WaitKind::sleep && wait->deadline &&
             wait->deadline->at_ns <=
                 (wait->deadline->clock == WaitClock::wall ? now.wall_ns : now.mono_ns)) {
    wait->is_due = true;
    wait->lets_all_first = true;
  }
  return wait;
}

namespace {

Answer answer_times(const Call& call, const Program& program, const ClockReadings& now,
                    std::int64_t processor_ns) {
  constexpr std::int64_t tick_ns = 10 * millisecond_ns;
  const tms used{.tms_utime = processor_ns / tick_ns, .tms_stime = 0, .tms_cutime = 0, .tms_cstime = 0};
  const bool is_written = call.arguments[0] == 0 || program.write(call.arguments[0], &used, sizeof used);
  return is_written ? Answer{.value = now.mono_ns / tick_ns} : Answer{.error = EFAULT};
}

// All of it but the time is ours as well as the program's.
Answer answer_sysinfo(const Call& call, const Program& program, const ClockReadings& now) {
  struct sysinfo state{};
  ::sysinfo(&state);
  state.uptime = now.mono_ns / second_ns;
  return {.error = program.write(call.arguments[0], &state, sizeof state) ? 0 : EFAULT};
}

}  // namespace

Answer answer_reading(const Call& call, const Program& program, const ClockReadings& now,
                      std::int64_t processor_ns) {
  if (call.number == SYS_times) {
    return answer_times(call, program, now, processor_ns);
  }
  if (call.number == SYS_sysinfo) {
    return answer_sysinfo(call, program, now);
  }
  if (call.number == SYS_clock_gettime) {
    const bool on_wall = (1U << call.arguments[0] & HOLDFAST_WALL_CLOCKS) != 0;
    const std::int64_t reading_ns = on_wall ? now.wall_ns : now.mono_ns;
    const timespec time{reading_ns / second_ns, reading_ns % second_ns};
    return {.error = program.write(call.arguments[1], &time, sizeof time) ? 0 : EFAULT};
  }
  if (call.number == SYS_gettimeofday) {
    const timeval time{now.wall_ns / second_ns, now.wall_ns % second_ns / microsecond_ns};
    const bool is_written = call.arguments[0] == 0 || program.write(call.arguments[0], &time, sizeof time);
    const std::int64_t greenwich = 0;  // both words of a time zone
    const bool is_all =
        call.arguments[1] == 0 || program.write(call.arguments[1], &greenwich, sizeof greenwich);
    return {.error = is_written && is_all ? 0 : EFAULT};
  }
  const std::int64_t seconds = now.wall_ns / second_ns;
  const bool is_written =
      call.arguments[0] == 0 || program.write(call.arguments[0], &seconds, sizeof seconds);
  return is_written ? Answer{.value = seconds} : Answer{.error = EFAULT};
}

}  // namespace holdfast::rest
