#define _GNU_SOURCE
#include "page.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// While it looks, dlsym may free what it said of an earlier failure, and an allocator may ask for the time.
// (Volatile: dlsym is declared as one that never comes back here.)
static __thread volatile bool is_looking __attribute__((tls_model("initial-exec")));

void* real_function(void** known, const char* name) {
  void* function = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (function == NULL) {
    is_looking = true;
    function = dlsym(RTLD_NEXT, name);
    is_looking = false;
    __atomic_store_n(known, function, __ATOMIC_RELAXED);
  }
  return function;
}

// A page that was looked for and not found.
static const Page no_page;
static const Page* known_page;

static const Page* map_page(void) {
  const char* file = getenv(HOLDFAST_CLOCK_VARIABLE);
  if (file == NULL) {
    return &no_page;
  }
  const int descriptor = open(file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return &no_page;
  }
  struct stat status;
  const bool long_enough = fstat(descriptor, &status) == 0 && status.st_size >= HOLDFAST_CLOCK_PAGE_BYTES;
  void* memory =
      long_enough ? mmap(NULL, HOLDFAST_CLOCK_PAGE_BYTES, PROT_READ, MAP_SHARED, descriptor, 0) : MAP_FAILED;
  close(descriptor);
  if (memory == MAP_FAILED) {
    return &no_page;
  }
  const Page* page = memory;
  if (__atomic_load_n(&page->magic, __ATOMIC_ACQUIRE) != HOLDFAST_CLOCK_MAGIC) {
    munmap(memory, HOLDFAST_CLOCK_PAGE_BYTES);
    return &no_page;
  }
  return page;
}

static const Page* find_page(void) {
  const int caller_errno = errno;
  const Page* found = map_page();
  const Page* earlier = NULL;
  // Two threads may come here together: the first one's mapping counts, a second stays unused.
  if (!__atomic_compare_exchange_n(&known_page, &earlier, found, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    found = earlier;
  }
  errno = caller_errno;
  return found;
}

const Page* clock_page(void) {
  const Page* page = __atomic_load_n(&known_page, __ATOMIC_ACQUIRE);
  if (__builtin_expect(page == NULL, 0)) {
    page = find_page();
  }
  return page == &no_page ? NULL : page;
}

__attribute__((constructor)) static void find_page_early(void) {
  clock_page();  // before the program changes its environment, its directory or its rights
}

bool is_virtual(const Page* page) {
  return __atomic_load_n(&page->mode, __ATOMIC_ACQUIRE) == HOLDFAST_CLOCK_VIRTUAL;
}

const Page* virtual_page(void) {
  const Page* page = clock_page();
  return page != NULL && is_virtual(page) ? page : NULL;
}

Clock clock_named(clockid_t id) {
  switch (id) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI:
      return wall_clock;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
      return mono_clock;
    default:
      return not_replaced;
  }
}

DECLARE_REAL(clock_gettime);

int64_t real_reading(clockid_t id) {
  struct timespec time = {0, 0};
  // Not libc's function: if the vDSO was replaced as well, that would not be real.
  direct_call(SYS_clock_gettime, id, (long)&time, 0, 0, 0, 0);
  return ns_of(&time);
}

int read_real_clock(clockid_t id, struct timespec* time) {
  if (is_looking) {
    return (int)direct_call(SYS_clock_gettime, id, (long)time, 0, 0, 0, 0);
  }
  return REAL(clock_gettime)(id, time);
}

int64_t page_reading(const Page* page, Clock clock) {
  if (clock == not_replaced) {
    return real_reading(CLOCK_MONOTONIC);
  }
  const bool wall = clock == wall_clock;
  if (is_virtual(page)) {
    return __atomic_load_n(wall ? &page->wall_ns : &page->mono_ns, __ATOMIC_RELAXED);
  }
  struct timespec time = {0, 0};
  read_real_clock(wall ? CLOCK_REALTIME : CLOCK_MONOTONIC, &time);
  const int64_t offset_ns =
      __atomic_load_n(wall ? &page->wall_offset_ns : &page->mono_offset_ns, __ATOMIC_RELAXED);
  const int64_t reading_ns = ns_of(&time) + offset_ns;
  return reading_ns < 0 ? 0 : reading_ns;
}

int64_t ns_of(const struct timespec* time) {
  int64_t ns = 0;
  if (__builtin_mul_overflow((int64_t)time->tv_sec, (int64_t)ns_per_s, &ns) ||
      __builtin_add_overflow(ns, (int64_t)time->tv_nsec, &ns)) {
    return time->tv_sec < 0 ? INT64_MIN : INT64_MAX;
  }
  return ns;
}

struct timespec timespec_of(int64_t ns) {
  const uint64_t whole = ns < 0 ? 0 : (uint64_t)ns;
  return (struct timespec){(time_t)(whole / ns_per_s), (long)(whole % ns_per_s)};
}

bool is_valid(const struct timespec* time) {
  return time->tv_nsec >= 0 && time->tv_nsec < ns_per_s;
}

int64_t sum_of(int64_t reading_ns, int64_t more_ns) {
  int64_t sum = 0;
  return __builtin_add_overflow(reading_ns, more_ns, &sum) ? INT64_MAX : sum;
}

long direct_call(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
#else
#error "the preloaded clock knows the system calls of x86-64 and aarch64 only"
#endif
}
