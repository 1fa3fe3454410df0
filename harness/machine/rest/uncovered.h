// What a program under supervision must not do, since nobody would know of its waits: processes of its own,
// timers of the kernel, queues that the kernel works off by itself.
#pragma once

#include <string>

#include "harness/machine/rest/held_wait.h"

namespace holdfast::rest {

struct Uncovered {
  std::string what;  // "starts another process (fork)"; empty: this call is harmless
  // The program can be told that the kernel has no such call, and then does without: ENOSYS.
  bool can_do_without = false;
};

Uncovered what_is_uncovered(const Call& call, const Program& program);

}  // namespace holdfast::rest
