// Waiting for descriptors, for so long.
//
// In virtual time only: an offset does not change how long a length is. No timeout, and a timeout of zero,
// have nothing to do with time. A wait for no descriptor at all is a sleep.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "wait.h"

DECLARE_REAL(poll);
DECLARE_REAL(ppoll);
DECLARE_REAL(epoll_wait);
DECLARE_REAL(epoll_pwait);
DECLARE_REAL(select);
DECLARE_REAL(pselect);

// As poll() and select() report the end of a sleep.
static int result_of_sleep(int error) {
  if (error == 0) {
    return 0;
  }
  errno = error;
  return -1;
}

static int poll_virtually(const Page* page, struct pollfd* polled, nfds_t count, int64_t length_ns,
                          const sigset_t* mask) {
  Wait wait = start_wait(page, mono_clock, sum_of(page_reading(page, mono_clock), length_ns));
  int ready = 0;
  do {
    const struct timespec slice = slice_of(&wait);
    ready = REAL(ppoll)(polled, count, &slice, mask_of(&wait, mask));
  } while (goes_on(&wait, ready));
  return ready;
}

EXPORT int poll(struct pollfd* polled, nfds_t count, int timeout_ms) {
  const Page* page = timeout_ms > 0 ? virtual_page() : NULL;
  if (page == NULL) {
    return REAL(poll)(polled, count, timeout_ms);
  }
  const int64_t length_ns = (int64_t)timeout_ms * ns_per_ms;
  return count == 0 ? result_of_sleep(sleep_for(page, length_ns))
                    : poll_virtually(page, polled, count, length_ns, NULL);
}

static bool is_some_time(const struct timespec* timeout) {
  return timeout != NULL && is_valid(timeout) && timeout->tv_sec >= 0 && ns_of(timeout) > 0;
}

EXPORT int ppoll(struct pollfd* polled, nfds_t count, const struct timespec* timeout, const sigset_t* mask) {
  const Page* page = is_some_time(timeout) ? virtual_page() : NULL;
  if (page == NULL) {
    return REAL(ppoll)(polled, count, timeout, mask);
  }
  const bool sleep = count == 0 && mask == NULL;
  return sleep ? result_of_sleep(sleep_for(page, ns_of(timeout)))
               : poll_virtually(page, polled, count, ns_of(timeout), mask);
}

// What poll and ppoll become in programs compiled with _FORTIFY_SOURCE.
// NOLINTBEGIN(bugprone-reserved-identifier)
EXPORT int __poll_chk(struct pollfd* polled, nfds_t count, int timeout_ms, size_t room);
EXPORT int __ppoll_chk(struct pollfd* polled, nfds_t count, const struct timespec* timeout,
                       const sigset_t* mask, size_t room);

int __poll_chk(struct pollfd* polled, nfds_t count, int timeout_ms, size_t room) {
  if (room / sizeof *polled < count) {
    __builtin_trap();
  }
  return poll(polled, count, timeout_ms);
}

int __ppoll_chk(struct pollfd* polled, nfds_t count, const struct timespec* timeout, const sigset_t* mask,
                size_t room) {
  if (room / sizeof *polled < count) {
    __builtin_trap();
  }
  return ppoll(polled, count, timeout, mask);
}

// NOLINTEND(bugprone-reserved-identifier)

static int epoll_virtually(const Page* page, int set, struct epoll_event* events, int room, int timeout_ms,
                           const sigset_t* mask) {
  const int64_t length_ns = (int64_t)timeout_ms * ns_per_ms;
  Wait wait = start_wait(page, mono_clock, sum_of(page_reading(page, mono_clock), length_ns));
  int ready = 0;
  do {
    const int slice_ms = slice_ms_of(&wait);
    ready = REAL(epoll_pwait)(set, events, room, slice_ms, mask_of(&wait, mask));
  } while (goes_on(&wait, ready));
  return ready;
}

EXPORT int epoll_wait(int set, struct epoll_event* events, int room, int timeout_ms) {
  const Page* page = timeout_ms > 0 ? virtual_page() : NULL;
  return page == NULL ? REAL(epoll_wait)(set, events, room, timeout_ms)
                      : epoll_virtually(page, set, events, room, timeout_ms, NULL);
}

EXPORT int epoll_pwait(int set, struct epoll_event* events, int room, int timeout_ms, const sigset_t* mask) {
  const Page* page = timeout_ms > 0 ? virtual_page() : NULL;
  return page == NULL ? REAL(epoll_pwait)(set, events, room, timeout_ms, mask)
                      : epoll_virtually(page, set, events, room, timeout_ms, mask);
}

// select() empties its sets when a slice ends, so each slice starts from what was asked.
enum { selected_max = 65536 };  // descriptors; a wait for more is handed on
typedef struct {
  fd_set* theirs[3];
  size_t bytes;
  unsigned char* asked;
} Selected;

static size_t bytes_of_set(int count) {
  const size_t bits_of_word = 8 * sizeof(long);
  return ((size_t)count + bits_of_word - 1) / bits_of_word * sizeof(long);
}

static void remember_asked(const Selected* selected) {
  for (size_t set = 0; set < 3; ++set) {
    if (selected->theirs[set] != NULL) {
      memcpy(selected->asked + set * selected->bytes, selected->theirs[set], selected->bytes);
    }
  }
}

static void ask_again(const Selected* selected) {
  for (size_t set = 0; set < 3; ++set) {
    if (selected->theirs[set] != NULL) {
      memcpy(selected->theirs[set], selected->asked + set * selected->bytes, selected->bytes);
    }
  }
}

static int select_in_slices(Wait* wait, int count, const Selected* selected, const sigset_t* mask) {
  remember_asked(selected);
  for (;;) {
    const struct timespec slice = slice_of(wait);
    const int ready = REAL(pselect)(count, selected->theirs[0], selected->theirs[1], selected->theirs[2],
                                    &slice, mask_of(wait, mask));
    if (!goes_on(wait, ready)) {
      return ready;
    }
    ask_again(selected);
  }
}

EXPORT int select(int count, fd_set* restrict readable, fd_set* restrict writable,
                  fd_set* restrict exceptional, struct timeval* restrict timeout) {
  const bool some_time = timeout != NULL && timeout->tv_sec >= 0 && timeout->tv_usec >= 0 &&
                         (timeout->tv_sec > 0 || timeout->tv_usec > 0);
  const Page* page = some_time && count >= 0 && count <= selected_max ? virtual_page() : NULL;
  if (page == NULL) {
    return REAL(select)(count, readable, writable, exceptional, timeout);
  }
  const struct timespec seconds = {timeout->tv_sec, 0};
  const int64_t length_ns = sum_of(ns_of(&seconds), (int64_t)timeout->tv_usec * ns_per_us);
  Wait wait = start_wait(page, mono_clock, sum_of(page_reading(page, mono_clock), length_ns));
  int ready = 0;
  if (count == 0) {
    ready = result_of_sleep(sleep_for(page, length_ns));
  } else {
    unsigned char asked[3 * bytes_of_set(count)];
    const Selected selected = {{readable, writable, exceptional}, bytes_of_set(count), asked};
    ready = select_in_slices(&wait, count, &selected, NULL);
  }
  // Linux leaves in it what was not slept.
  const struct timespec left = timespec_of(ready == 0 ? 0 : left_of(&wait));
  *timeout = (struct timeval){left.tv_sec, left.tv_nsec / ns_per_us};
  return ready;
}

EXPORT int pselect(int count, fd_set* restrict readable, fd_set* restrict writable,
                   fd_set* restrict exceptional, const struct timespec* restrict timeout,
                   const sigset_t* restrict mask) {
  const Page* page = is_some_time(timeout) && count >= 0 && count <= selected_max ? virtual_page() : NULL;
  if (page == NULL) {
    return REAL(pselect)(count, readable, writable, exceptional, timeout, mask);
  }
  Wait wait = start_wait(page, mono_clock, sum_of(page_reading(page, mono_clock), ns_of(timeout)));
  unsigned char asked[3 * bytes_of_set(count) + 1];
  const Selected selected = {{readable, writable, exceptional}, bytes_of_set(count), asked};
  return select_in_slices(&wait, count, &selected, mask);
}
