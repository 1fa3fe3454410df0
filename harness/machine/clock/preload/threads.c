// Waiting for other threads until a point in time: conditions, semaphores, and futexes through syscall().
//
// Their deadlines are readings of a clock, so they are replaced in both modes of the page.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "wait.h"

DECLARE_REAL(pthread_cond_clockwait);
DECLARE_REAL(pthread_cond_timedwait);
DECLARE_REAL(sem_clockwait);
DECLARE_REAL(sem_timedwait);

// The end of the next slice in real monotonic time; long ago if the deadline has passed.
static struct timespec end_of_slice(Slices* slices, const Page* page, Clock clock, int64_t deadline_ns) {
  const int64_t now_ns = page_reading(page, clock);
  if (now_ns >= deadline_ns) {
    return (struct timespec){0, 0};
  }
  const int64_t slice_ns = next_slice(slices, page, deadline_ns - now_ns);
  return timespec_of(sum_of(real_reading(CLOCK_MONOTONIC), slice_ns));
}

// The condition that this thread waited for last. A wait for a condition may end early, and does after every
// slice: only the caller can see whether what it waits for came while the slice ended. So that the slices of
// one long wait grow nevertheless, they are remembered here.
static __thread struct {
  const pthread_cond_t* condition;
  int64_t deadline_ns;
  Slices slices;
} last_wait __attribute__((tls_model("initial-exec")));

static int wait_one_slice(const Page* page, Clock clock, pthread_cond_t* condition, pthread_mutex_t* mutex,
                          const struct timespec* deadline) {
  const int64_t deadline_ns = ns_of(deadline);
  if (last_wait.condition != condition || last_wait.deadline_ns != deadline_ns) {
    last_wait.condition = condition;
    last_wait.deadline_ns = deadline_ns;
    last_wait.slices = (Slices){0};
  }
  const struct timespec end = end_of_slice(&last_wait.slices, page, clock, deadline_ns);
  const int result = REAL(pthread_cond_clockwait)(condition, mutex, CLOCK_MONOTONIC, &end);
  if (result != ETIMEDOUT) {
    last_wait.condition = NULL;
    return result;
  }
  return page_reading(page, clock) >= deadline_ns ? ETIMEDOUT : 0;
}

// dlsym() may find the function that glibc keeps for programs of the year 2002.
static void* real_timedwait(void) {
  void* function = __atomic_load_n(&real_pthread_cond_timedwait, __ATOMIC_RELAXED);
  if (function == NULL) {
    function = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    function = function != NULL ? function : dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    __atomic_store_n(&real_pthread_cond_timedwait, function, __ATOMIC_RELAXED);
  }
  return function;
}

// glibc keeps the clock of a condition (pthread_condattr_setclock) in this bit since version 2.25.
static Clock clock_of(const pthread_cond_t* condition) {
  const unsigned int monotonic_bit = 2;
  const unsigned int flags = __atomic_load_n(&condition->__data.__wrefs, __ATOMIC_RELAXED);
  return (flags & monotonic_bit) != 0 ? mono_clock : wall_clock;
}

EXPORT int pthread_cond_timedwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex,
                                  const struct timespec* restrict deadline) {
  const Page* page = clock_page();
  if (page == NULL || !is_valid(deadline)) {
    return ((__typeof__(&pthread_cond_timedwait))real_timedwait())(condition, mutex, deadline);
  }
  return wait_one_slice(page, clock_of(condition), condition, mutex, deadline);
}

EXPORT int pthread_cond_clockwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex,
                                  clockid_t id, const struct timespec* restrict deadline) {
  const Page* page = clock_page();
  const Clock clock = clock_named(id);
  if (page == NULL || clock == not_replaced || !is_valid(deadline)) {
    return REAL(pthread_cond_clockwait)(condition, mutex, id, deadline);
  }
  return wait_one_slice(page, clock, condition, mutex, deadline);
}

// A semaphore remembers who posted it, so nothing is lost between two slices.
static int wait_for_semaphore(const Page* page, Clock clock, sem_t* semaphore, int64_t deadline_ns) {
  Slices slices = {0};
  const int caller_errno = errno;
  for (;;) {
    const struct timespec end = end_of_slice(&slices, page, clock, deadline_ns);
    const bool last = end.tv_sec == 0;
    if (REAL(sem_clockwait)(semaphore, CLOCK_MONOTONIC, &end) == 0) {
      errno = caller_errno;
      return 0;
    }
    if (errno != ETIMEDOUT || last) {
      return -1;
    }
  }
}

EXPORT int sem_timedwait(sem_t* restrict semaphore, const struct timespec* restrict deadline) {
  const Page* page = clock_page();
  if (page == NULL || !is_valid(deadline)) {
    return REAL(sem_timedwait)(semaphore, deadline);
  }
  return wait_for_semaphore(page, wall_clock, semaphore, ns_of(deadline));
}

EXPORT int sem_clockwait(sem_t* restrict semaphore, clockid_t id, const struct timespec* restrict deadline) {
  const Page* page = clock_page();
  const Clock clock = clock_named(id);
  if (page == NULL || clock == not_replaced || !is_valid(deadline)) {
    return REAL(sem_clockwait)(semaphore, id, deadline);
  }
  return wait_for_semaphore(page, clock, semaphore, ns_of(deadline));
}

typedef struct {
  long a, b, c, d, e, f;
} Arguments;

static const struct timespec* time_of(const Arguments* asked) {
  return (const struct timespec*)asked->d;  // NOLINT(performance-no-int-to-ptr)
}

// A timed FUTEX_WAIT or FUTEX_WAIT_BITSET. Returns like the system call: negative errors.
static long wait_for_futex(const Page* page, const Arguments* asked) {
  const long command = asked->b & FUTEX_CMD_MASK;
  const struct timespec* time = time_of(asked);
  const bool relative = command == FUTEX_WAIT;
  const bool wall = !relative && (asked->b & FUTEX_CLOCK_REALTIME) != 0;
  const Clock clock = wall ? wall_clock : mono_clock;
  const int64_t deadline_ns = relative ? sum_of(page_reading(page, clock), ns_of(time)) : ns_of(time);
  const long operation = (asked->b & FUTEX_PRIVATE_FLAG) | FUTEX_WAIT_BITSET;
  const long bits = relative ? (long)FUTEX_BITSET_MATCH_ANY : asked->f;
  Slices slices = {0};
  for (;;) {
    const struct timespec end = end_of_slice(&slices, page, clock, deadline_ns);
    const bool last = end.tv_sec == 0;
    const long result = direct_call(SYS_futex, asked->a, operation, asked->c, (long)&end, 0, bits);
    if (result != -ETIMEDOUT || last) {
      return result;
    }
  }
}

static bool is_timed_futex_wait(long number, const Arguments* asked) {
  const long command = asked->b & FUTEX_CMD_MASK;
  const struct timespec* time = time_of(asked);
  return number == SYS_futex && (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) && time != NULL &&
         is_valid(time) && time->tv_sec >= 0;
}

static long libc_result(long result) {
  if (result < 0 && result > -4096) {
    errno = (int)-result;
    return -1;
  }
  return result;
}

EXPORT long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  Arguments asked;
  asked.a = va_arg(list, long);
  asked.b = va_arg(list, long);
  asked.c = va_arg(list, long);
  asked.d = va_arg(list, long);
  asked.e = va_arg(list, long);
  asked.f = va_arg(list, long);
  va_end(list);
  const Page* page = clock_page();
  if (page != NULL && number == SYS_clock_gettime) {
    return clock_gettime((clockid_t)asked.a, (struct timespec*)asked.b);  // NOLINT(performance-no-int-to-ptr)
  }
  if (page != NULL && is_timed_futex_wait(number, &asked)) {
    return libc_result(wait_for_futex(page, &asked));
  }
  return libc_result(direct_call(number, asked.a, asked.b, asked.c, asked.d, asked.e, asked.f));
}
