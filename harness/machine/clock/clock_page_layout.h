// What stands in a clock page: the file through which holdfast tells real programs what time it is.
//
// Plain C, because three readers share it: the runner (C++), the preloaded library (C) and the code that
// takes the place of the vDSO's (assembly, hence the byte positions as numbers). Every field is written and
// read by itself, atomically; nobody may rely on two fields belonging together. Only the runner writes.
//
// A reading is in nanoseconds: the wall clock's since 1970, the monotonic clock's since its own start.
// Neither is negative: real time plus an offset that ends below zero reads as zero.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The last two digits are the version: a reader takes no other page than its own version's.
#define HOLDFAST_CLOCK_MAGIC UINT64_C(0x686f6c6466617301)
#define HOLDFAST_CLOCK_PAGE_BYTES 4096

// The environment variable that names the file to the preloaded library.
#define HOLDFAST_CLOCK_VARIABLE "HOLDFAST_CLOCK_PAGE"

#define HOLDFAST_CLOCK_OFFSET 0   // real time plus wall_offset_ns or mono_offset_ns
#define HOLDFAST_CLOCK_VIRTUAL 1  // exactly wall_ns and mono_ns

#define HOLDFAST_CLOCK_AT_MODE 8
#define HOLDFAST_CLOCK_AT_WALL 16
#define HOLDFAST_CLOCK_AT_MONO 24
#define HOLDFAST_CLOCK_FROM_READING_TO_OFFSET 16

// The bits of the clocks (1 << clockid) that a page replaces:
// wall: REALTIME, REALTIME_COARSE, REALTIME_ALARM, TAI;
// monotonic: MONOTONIC, MONOTONIC_RAW, MONOTONIC_COARSE, BOOTTIME, BOOTTIME_ALARM.
#define HOLDFAST_WALL_CLOCKS 0x921
#define HOLDFAST_MONO_CLOCKS 0x2d2
#define HOLDFAST_LAST_CLOCK 11

struct holdfast_clock_page {
  uint64_t magic;
  uint32_t mode;
  uint32_t generation;  // counts the changes; a futex: whoever waits for the page itself is woken by each
  int64_t wall_ns;
  int64_t mono_ns;
  int64_t wall_offset_ns;
  int64_t mono_offset_ns;
  // A relative sleep no longer than this is taken for a back-off, which waits for another thread and not for
  // time: it is slept in real time, so that a server makes progress while its clock stands still.
  int64_t back_off_ns;
};

#ifdef __cplusplus
#define HOLDFAST_CLOCK_ASSERT static_assert
#else
#define HOLDFAST_CLOCK_ASSERT _Static_assert
#endif
HOLDFAST_CLOCK_ASSERT(offsetof(struct holdfast_clock_page, mode) == HOLDFAST_CLOCK_AT_MODE, "");
HOLDFAST_CLOCK_ASSERT(offsetof(struct holdfast_clock_page, wall_ns) == HOLDFAST_CLOCK_AT_WALL, "");
HOLDFAST_CLOCK_ASSERT(offsetof(struct holdfast_clock_page, mono_ns) == HOLDFAST_CLOCK_AT_MONO, "");
HOLDFAST_CLOCK_ASSERT(offsetof(struct holdfast_clock_page, wall_offset_ns) ==
                          HOLDFAST_CLOCK_AT_WALL + HOLDFAST_CLOCK_FROM_READING_TO_OFFSET,
                      "");
HOLDFAST_CLOCK_ASSERT(offsetof(struct holdfast_clock_page, mono_offset_ns) ==
                          HOLDFAST_CLOCK_AT_MONO + HOLDFAST_CLOCK_FROM_READING_TO_OFFSET,
                      "");
#undef HOLDFAST_CLOCK_ASSERT
