// What a signal does to a wait that is held.
//
// The kernel does not interrupt a held thread: a signal stays pending until somebody lets the thread go. So
// the supervisor does what the kernel would have done: it looks for signals that would end the wait, and ends
// it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "harness/machine/rest/held_wait.h"

namespace holdfast::rest {

// Of a thread; each signal is a bit, the first one's is 1.
struct ThreadSignals {
  std::uint64_t pending = 0;  // for it, or for any thread of its process
  std::uint64_t blocked = 0;
  std::uint64_t ignored = 0;
  std::uint64_t caught = 0;
};

// None: the thread is gone.
std::optional<ThreadSignals> signals_of(pid_t process, pid_t thread);

enum class Interruption {
  none,
  by_answer,  // EINTR
  by_kernel,  // it is left to the kernel, which interrupts it at once: only it can apply the call's own mask,
              // or begin the call anew after the signal
};

Interruption interruption_of(const HeldWait& wait, const ThreadSignals& signals, const Program& program);

// Tells a program whose sleep was interrupted how much of it is left.
void write_rest_of_sleep(const HeldWait& wait, const Program& program, std::int64_t left_ns);

}  // namespace holdfast::rest
