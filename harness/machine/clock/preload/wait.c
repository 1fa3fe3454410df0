#define _GNU_SOURCE
#include "wait.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/syscall.h>

DECLARE_REAL(ppoll);

int64_t next_slice(Slices* slices, const Page* page, int64_t left_ns) {
  if (!is_virtual(page)) {
    return left_ns < slice_real_max_ns ? left_ns : slice_real_max_ns;
  }
  const int64_t slice_ns = slices->next_ns < slice_first_ns ? slice_first_ns : slices->next_ns;
  slices->next_ns = slice_ns * 2 > slice_max_ns ? slice_max_ns : slice_ns * 2;
  return slice_ns;
}

Wait start_wait(const Page* page, Clock clock, int64_t deadline_ns) {
  Wait wait;
  wait.page = page;
  wait.clock = clock;
  wait.deadline_ns = deadline_ns;
  wait.slices = (Slices){0};
  wait.signals_held = false;
  return wait;
}

int64_t left_of(const Wait* wait) {
  const int64_t now_ns = page_reading(wait->page, wait->clock);
  return now_ns >= wait->deadline_ns ? 0 : wait->deadline_ns - now_ns;
}

struct timespec slice_of(Wait* wait) {
  return timespec_of(next_slice(&wait->slices, wait->page, left_of(wait)));
}

int slice_ms_of(Wait* wait) {
  return (int)((next_slice(&wait->slices, wait->page, left_of(wait)) + ns_per_ms - 1) / ns_per_ms);
}

const sigset_t* mask_of(const Wait* wait, const sigset_t* asked) {
  return asked == NULL && wait->signals_held ? &wait->outside : asked;
}

bool goes_on(Wait* wait, int result) {
  const bool more = result == 0 && left_of(wait) > 0;
  if (more == wait->signals_held) {
    return more;
  }
  const int caller_errno = errno;
  if (more) {
    // Only now: most waits are over in their first slice, and need no more system calls than without us.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &wait->outside);
  } else {
    pthread_sigmask(SIG_SETMASK, &wait->outside, NULL);
  }
  wait->signals_held = more;
  errno = caller_errno;
  return more;
}

int sleep_until(const Page* page, Clock clock, int64_t deadline_ns) {
  const int caller_errno = errno;
  Wait wait = start_wait(page, clock, deadline_ns);
  if (left_of(&wait) == 0) {
    return 0;
  }
  int result = 0;
  do {
    const struct timespec slice = slice_of(&wait);
    result = REAL(ppoll)(NULL, 0, &slice, mask_of(&wait, NULL));
  } while (goes_on(&wait, result));
  errno = caller_errno;
  return result == 0 ? 0 : EINTR;
}

int sleep_for(const Page* page, int64_t length_ns) {
  if (length_ns <= __atomic_load_n(&page->back_off_ns, __ATOMIC_RELAXED)) {
    const struct timespec length = timespec_of(length_ns);
    return (int)-direct_call(SYS_nanosleep, (long)&length, 0, 0, 0, 0, 0);
  }
  return sleep_until(page, mono_clock, sum_of(page_reading(page, mono_clock), length_ns));
}
