// Spreads whole pieces of work over threads of the operating system.
//
// A run is one thread and sees no other; only here do several go on at once. Each thread makes a worker of
// its own (with its own Simulation) and asks for one index after another. A worker puts what it found at its
// index, so results do not depend on which thread was faster.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>

namespace holdfast {

using ParallelWorker = std::function<void(std::size_t index)>;

// Calls a worker once for each index from 0 to count-1, on up to `jobs` threads. A worker is made, called and
// destroyed on one thread. `on_done` is told how many indices are done, by one thread at a time, in order.
// If workers throw, work stops early and the exception of the lowest index that threw is thrown again.
void in_parallel(std::size_t count, std::size_t jobs, const std::function<ParallelWorker()>& make_worker,
                 const std::function<void(std::size_t done)>& on_done);

// For what workers share: one of them at a time does something with it.
class OneAtATime {
 public:
  void operator()(const std::function<void()>& action) {
    const std::scoped_lock lock(mutex_);
    action();
  }

 private:
  std::mutex mutex_;
};

// As many as the machine has processors, at least one.
std::size_t default_jobs();

}  // namespace holdfast
