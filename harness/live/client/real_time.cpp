#include "harness/live/client/real_time.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

namespace holdfast::live {
namespace {

// The kernel's clocks are as exact as two readings in a row; what differs by more was moved.
constexpr Duration moved_by_at_least = 500us;
constexpr Duration longest_wait = 1s;

Duration to_duration(const timespec& time) {
  return std::chrono::seconds(time.tv_sec) + Duration(time.tv_nsec);
}

Duration machine_time() {
  timespec time{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return to_duration(time);
}

struct Readings {
  Duration machine;
  Duration wall;
  Duration monotonic;
};

Readings read_clocks() {
  return {machine_time(), program_time(ClockKind::wall), program_time(ClockKind::monotonic)};
}

// All at one instant, as nearly as the scheduler lets us.
Readings read_clocks_carefully() {
  constexpr Duration nearly_at_once = 100us;
  constexpr int most_tries = 10;
  Readings readings{};
  for (int tries = 0; tries < most_tries; ++tries) {
    readings = read_clocks();
    if (machine_time() - readings.machine < nearly_at_once) {
      break;
    }
  }
  return readings;
}

}  // namespace

Duration program_time(ClockKind kind) {
  timespec time{};
  clock_gettime(kind == ClockKind::wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, &time);
  return to_duration(time);
}

RealTime::RealTime(Kernel& kernel, ProcessId process, Poller& poller)
    : kernel_(kernel), process_(process), poller_(poller), start_(machine_time() - kernel.now()) {
  catch_up();
}

void RealTime::catch_up() {
  // A quick look is enough while the clocks have not been moved, and system calls are what a client spends
  // most of its time on.
  Readings readings = read_clocks();
  kernel_.advance_to(readings.machine - start_);
  if (was_moved(ClockKind::wall, readings.wall) || was_moved(ClockKind::monotonic, readings.monotonic)) {
    readings = read_clocks_carefully();
    kernel_.advance_to(readings.machine - start_);
    follow(ClockKind::wall, readings.wall);
    follow(ClockKind::monotonic, readings.monotonic);
  }
}

bool RealTime::was_moved(ClockKind kind, Duration reading) const {
  const Duration difference = reading - kernel_.read_clock(process_, kind);
  return std::max(difference, -difference) >= moved_by_at_least;
}

void RealTime::follow(ClockKind kind, Duration reading) {
  if (was_moved(kind, reading)) {
    kernel_.jump_clock(process_, kind, reading - kernel_.read_clock(process_, kind));
  }
}

void RealTime::run_due() {
  catch_up();
  kernel_.run({kernel_.now(), std::numeric_limits<std::uint64_t>::max()});
}

void RealTime::wait() {
  const Duration due = kernel_.next_due();
  const Duration passed = machine_time() - start_;  // we may have been stopped since run_due()
  poller_.wait(due <= passed ? Duration::zero() : std::min(due - passed, longest_wait));
}

}  // namespace holdfast::live
