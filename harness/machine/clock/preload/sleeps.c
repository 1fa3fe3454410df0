// Waiting for nothing but time.
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "wait.h"

DECLARE_REAL(nanosleep);
DECLARE_REAL(clock_nanosleep);
DECLARE_REAL(usleep);
DECLARE_REAL(sleep);

// Sleeps in virtual time; gives what was left of it when a signal came, and EINTR then.
static int sleep_and_tell(const Page* page, int64_t length_ns, int64_t* left_ns) {
  const int64_t start_ns = page_reading(page, mono_clock);
  const int result = sleep_for(page, length_ns);
  const int64_t slept_ns = page_reading(page, mono_clock) - start_ns;
  *left_ns = result == 0 || slept_ns >= length_ns ? 0 : length_ns - (slept_ns < 0 ? 0 : slept_ns);
  return result;
}

static bool is_length(const struct timespec* length) {
  return is_valid(length) && length->tv_sec >= 0;
}

EXPORT int nanosleep(const struct timespec* length, struct timespec* left) {
  const Page* page = virtual_page();
  if (page == NULL || !is_length(length)) {
    return REAL(nanosleep)(length, left);
  }
  int64_t left_ns = 0;
  if (sleep_and_tell(page, ns_of(length), &left_ns) == 0) {
    return 0;
  }
  if (left != NULL) {
    *left = timespec_of(left_ns);
  }
  errno = EINTR;
  return -1;
}

// Returns its error and leaves errno alone, unlike the others.
EXPORT int clock_nanosleep(clockid_t id, int flags, const struct timespec* request, struct timespec* left) {
  const Page* page = clock_page();
  const Clock clock = clock_named(id);
  if (page == NULL || clock == not_replaced || !is_length(request)) {
    return REAL(clock_nanosleep)(id, flags, request, left);
  }
  if ((flags & TIMER_ABSTIME) != 0) {
    return sleep_until(page, clock, ns_of(request));
  }
  if (virtual_page() == NULL) {
    return REAL(clock_nanosleep)(id, flags, request, left);
  }
  int64_t left_ns = 0;
  const int result = sleep_and_tell(page, ns_of(request), &left_ns);
  if (result == EINTR && left != NULL) {
    *left = timespec_of(left_ns);
  }
  return result;
}

EXPORT int usleep(useconds_t length_us) {
  const Page* page = virtual_page();
  if (page == NULL) {
    return REAL(usleep)(length_us);
  }
  if (sleep_for(page, (int64_t)length_us * ns_per_us) == 0) {
    return 0;
  }
  errno = EINTR;
  return -1;
}

EXPORT unsigned int sleep(unsigned int length_s) {
  const Page* page = virtual_page();
  if (page == NULL) {
    return REAL(sleep)(length_s);
  }
  int64_t left_ns = 0;
  sleep_and_tell(page, (int64_t)length_s * ns_per_s, &left_ns);
  return (unsigned int)((left_ns + ns_per_s / 2) / ns_per_s);
}
