// Makes a held wait of a system call: reads its timeout and what it waits for from the program's memory.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/machine/rest/held_wait.h"

namespace holdfast::rest {

struct ClockReadings {
  std::int64_t wall_ns = 0;
  std::int64_t mono_ns = 0;
};

// None: the call does not wait, because the kernel finds something wrong with it (a time that is none, a
// descriptor that is not open) and says so at once; it is left to the kernel. A sleep no longer than
// `back_off_ns` waits for other threads, not for time: it becomes a turn. One who looks
// for something, with a timeout of zero, does not wait either. Throws LiveError if the kernel lets
// us have no copy of a descriptor, since such a wait can neither be held nor left.
std::optional<HeldWait> read_wait(const Call& call, const Program& program, const ClockReadings& now,
                                  std::int64_t back_off_ns);

// A reading of a clock by a system call, from the program's own page. `processor_ns` is the processor's time
// that it has used, of which times() tells, too.
Answer answer_reading(const Call& call, const Program& program, const ClockReadings& now,
                      std::int64_t processor_ns);

}  // namespace holdfast::rest
