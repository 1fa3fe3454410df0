// Reading the time.
#define _GNU_SOURCE
#include <sys/time.h>

#include "page.h"

DECLARE_REAL(gettimeofday);
DECLARE_REAL(time);
DECLARE_REAL(timespec_get);

EXPORT int clock_gettime(clockid_t id, struct timespec* time) {
  const Page* page = clock_page();
  const Clock clock = clock_named(id);
  if (page == NULL || clock == not_replaced) {
    return read_real_clock(id, time);
  }
  *time = timespec_of(page_reading(page, clock));
  return 0;
}

EXPORT int gettimeofday(struct timeval* restrict time, void* restrict zone) {
  const Page* page = clock_page();
  const void* asked = time;
  __asm__("" : "+r"(asked));  // libc declares that it is never null; old programs that want the zone differ
  if (page == NULL || asked == NULL) {
    return REAL(gettimeofday)(time, zone);
  }
  if (zone != NULL) {
    *(struct timezone*)zone = (struct timezone){0, 0};
  }
  const struct timespec now = timespec_of(page_reading(page, wall_clock));
  *time = (struct timeval){now.tv_sec, now.tv_nsec / ns_per_us};
  return 0;
}

EXPORT time_t time(time_t* result) {
  const Page* page = clock_page();
  if (page == NULL) {
    return REAL(time)(result);
  }
  const time_t now = timespec_of(page_reading(page, wall_clock)).tv_sec;
  if (result != NULL) {
    *result = now;
  }
  return now;
}

EXPORT int timespec_get(struct timespec* time, int base) {
  const Page* page = clock_page();
  if (page == NULL || base != TIME_UTC) {
    return REAL(timespec_get)(time, base);
  }
  *time = timespec_of(page_reading(page, wall_clock));
  return base;
}
