// Which system calls of a program stop at its supervisor: the seccomp filter, as the kernel wants it.
//
// What stops: every call that waits for time (with a timeout of 0 it does not wait), readings of a clock that
// bypass the vDSO, random numbers, signals that are sent (since those who are held do not notice any), and
// what is not covered (uncovered.h), so that it can be said. What does
// not wait, or waits for somebody and not for time, runs at full speed. x86-64.
#pragma once

#include <linux/filter.h>

#include <vector>

namespace holdfast::rest {

struct FilterOptions {
  // Also waits without a timeout, sched_yield() and the first step of a new thread: whoever wants to let go
  // one thread at a time must hold them all.
  bool holds_every_wait = true;
  bool holds_random = true;
};

std::vector<sock_filter> wait_filter(const FilterOptions& options);

}  // namespace holdfast::rest
