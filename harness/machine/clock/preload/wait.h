// Waiting on the clocks of the page.
//
// A wait is done in slices of real time, with a look at the page after each. They are what makes it possible
// to wait for something else besides (a descriptor, a condition), and they bound what a waiting thread costs:
// a runner moves the page up to 100,000 times a second, and must not wake every sleeper each time. The price
// is that a waiter sees a move some milliseconds late.
//
// A signal ends a sleep or a poll with EINTR as it should, also if it comes between two slices. A semaphore
// and a futex lack the means for that: there, a signal that comes between two slices only runs its handler.
#pragma once

#include <signal.h>

#include "page.h"

// How long the next slice may be. It starts short, for waits that are soon over, and grows, for a program
// that idles under a clock which stands still must not keep a processor busy.
typedef struct {
  int64_t next_ns;
} Slices;
enum { slice_first_ns = ns_per_ms, slice_max_ns = 8 * ns_per_ms, slice_real_max_ns = 100 * ns_per_ms };
int64_t next_slice(Slices* slices, const Page* page, int64_t left_ns);

// A wait that signals may end:
//
//   Wait wait = start_wait(...);
//   do { result = a system call of slice_of(&wait), under mask_of(&wait, what the caller asked for); }
//   while (goes_on(&wait, result));
typedef struct {
  const Page* page;
  Clock clock;
  int64_t deadline_ns;
  Slices slices;
  bool signals_held;  // from the end of the first slice on: they are let in by the system call only
  sigset_t outside;   // the mask to go back to
} Wait;

Wait start_wait(const Page* page, Clock clock, int64_t deadline_ns);
int64_t left_of(const Wait* wait);
struct timespec slice_of(Wait* wait);
int slice_ms_of(Wait* wait);
const sigset_t* mask_of(const Wait* wait, const sigset_t* asked);
// False if the wait is over: the result is not zero, or it is time. Leaves errno alone.
bool goes_on(Wait* wait, int result);

// Blocks until the clock has reached the deadline. 0, or EINTR after a signal was handled.
int sleep_until(const Page* page, Clock clock, int64_t deadline_ns);
// Sleeps that long on the page's monotonic clock, which must be virtual; short back-offs in real time.
int sleep_for(const Page* page, int64_t length_ns);
