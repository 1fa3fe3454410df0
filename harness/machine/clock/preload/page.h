// What the preloaded library's parts share: the clock page as a program sees it.
//
// The library stands between a program and libc. Each of its functions does what libc's does, on the clocks
// of the page (syncs.c: without the time it takes); without a page it hands the call on. It may be called
// before its own constructor, from any thread and from signal handlers, so it allocates nothing, takes no
// lock, and finds libc's functions when it first needs them.
//
// What is not replaced: timerfd, setitimer, timer_create, timed mutexes, sigtimedwait, and system calls made
// without libc's functions.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "../clock_page_layout.h"

typedef struct holdfast_clock_page Page;

enum { ns_per_s = 1000000000, ns_per_ms = 1000000, ns_per_us = 1000 };

#define EXPORT __attribute__((visibility("default")))

// REAL(poll)(...) calls libc's poll.
// NOLINTNEXTLINE(bugprone-macro-parentheses): a function's name
#define REAL(name) ((__typeof__(&name))real_function(&real_##name, #name))
// Must stand once in each file that says REAL(name).
#define DECLARE_REAL(name) static void* real_##name
void* real_function(void** known, const char* name);

// NULL if the program is to live in real time.
const Page* clock_page(void);
bool is_virtual(const Page* page);
// The page if it is in virtual mode, else NULL.
const Page* virtual_page(void);

typedef enum { not_replaced, wall_clock, mono_clock } Clock;
Clock clock_named(clockid_t id);

// What the page says of a clock; for not_replaced: real monotonic time.
int64_t page_reading(const Page* page, Clock clock);
// The kernel's own reading.
int64_t real_reading(clockid_t id);
// libc's clock_gettime.
int read_real_clock(clockid_t id, struct timespec* time);

int64_t ns_of(const struct timespec* time);
struct timespec timespec_of(int64_t ns);
bool is_valid(const struct timespec* time);
// `reading_ns` plus `more_ns`, which are not negative; the largest number if that is too much.
int64_t sum_of(int64_t reading_ns, int64_t more_ns);

// A system call without libc: it returns a negative error number and leaves errno alone.
long direct_call(long number, long a, long b, long c, long d, long e, long f);
