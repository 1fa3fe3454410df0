// What a program under supervision must not do, since nobody would know of its waits: processes of its own,
// timers of the kernel, queues that the kernel works off by itself, what only it could look at itself. And
// what it must not do at all: set the machine's clock.
#pragma once

#include <string>

#include "harness/machine/rest/held_wait.h"

namespace holdfast::rest {

struct Uncovered {
  std::string what;  // "starts another process (fork)"; empty: this call is harmless
  // What the program can be told so that it does without, ENOSYS for a call that the kernel does not have; 0:
  // it cannot.
  int error = 0;
};

Uncovered what_is_uncovered(const Call& call, const Program& program);

}  // namespace holdfast::rest
