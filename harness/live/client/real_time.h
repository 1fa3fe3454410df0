// Real time for a kernel: what is due is run when it is due, and one process's clocks follow the system's.
//
// The kernel's true time is the machine's own monotonic clock, asked of the operating system directly. The
// process's two clocks are what a program reads through libc, so that a clock page that moves them
// (harness/machine/clock) moves the process's clocks, and its timers with them.
#pragma once

#include "harness/kernel/kernel.h"
#include "harness/machine/net/poller.h"

namespace holdfast::live {

// What libc, and so a clock page, says is the time.
Duration program_time(ClockKind kind);

class RealTime {
 public:
  RealTime(Kernel& kernel, ProcessId process, Poller& poller);
  RealTime(const RealTime&) = delete;
  RealTime& operator=(const RealTime&) = delete;

  // The two halves of a program's main loop: runs what is due; waits for sockets until something else is.
  // What a socket brings comes before the timers that ran out meanwhile.
  void run_due();
  void wait();
  // The kernel's time catches up with real time.
  void catch_up();

 private:
  bool was_moved(ClockKind kind, Duration reading) const;
  void follow(ClockKind kind, Duration reading);

  Kernel& kernel_;
  ProcessId process_;
  Poller& poller_;
  Duration start_;
};

}  // namespace holdfast::live
