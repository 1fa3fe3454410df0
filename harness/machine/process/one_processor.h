// One processor for a thread and a program that take turns.
//
// Whoever asks and waits for each answer gains nothing from a second processor, and pays for it: one of the
// two sleeps whenever the other works, and waking a processor that sleeps takes longer than a server takes to
// answer (on a virtual machine twice over). On one processor they hand over to each other: twice as many
// steps a second. Nothing but speed depends on this, so where it is not permitted nothing happens.
#pragma once

#include <sched.h>
#include <sys/types.h>

namespace holdfast::live {

// The calling thread stays where it is, with all that it starts, until this goes; then it is as free as
// before.
class StaysOnProcessor {
 public:
  StaysOnProcessor();
  StaysOnProcessor(const StaysOnProcessor&) = delete;
  StaysOnProcessor& operator=(const StaysOnProcessor&) = delete;
  ~StaysOnProcessor();

 private:
  cpu_set_t before_{};
  bool stays_ = false;
};

// A program that is brought to the processor of whoever is about to take turns with it. Between two runs the
// system may have found a better one for us.
class Companion {
 public:
  void bring_here(pid_t process);

 private:
  pid_t process_ = 0;
  int processor_ = -1;
};

}  // namespace holdfast::live
