// Waits for descriptors: the sockets of a client process and its standard input.
//
// One thread. Waiting is a bare system call, so that a clock page (harness/machine/clock) cannot stretch it.
#pragma once

#include <poll.h>

#include <vector>

#include "harness/kernel/time.h"

namespace holdfast::live {

class Pollable {
 public:
  Pollable() = default;
  Pollable(const Pollable&) = delete;
  Pollable& operator=(const Pollable&) = delete;
  virtual int descriptor() const = 0;
  virtual bool wants_to_write() const = 0;
  virtual void on_ready() = 0;

 protected:
  ~Pollable() = default;
};

class Poller {
 public:
  void add(Pollable& pollable);
  // May be called while ready ones are told.
  void remove(Pollable& pollable);

  // Waits until one is ready, `timeout` at the longest, and tells all that are.
  void wait(Duration timeout);

 private:
  std::vector<Pollable*> pollables_;  // nullptr: removed while they were told
  std::vector<pollfd> watched_;       // kept for its memory
};

}  // namespace holdfast::live
