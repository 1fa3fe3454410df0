#include "harness/explore/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "harness/kernel/require.h"

namespace holdfast {
namespace {

class Pool {
 public:
  Pool(std::size_t count, const std::function<ParallelWorker()>& make_worker,
       const std::function<void(std::size_t)>& on_done)
      : count_(count), make_worker_(make_worker), on_done_(on_done) {}

  void run(std::size_t jobs) {
    std::vector<std::thread> threads;
    for (std::size_t job = 1; job < jobs && start_one(threads); ++job) {
    }
    work();
    for (std::thread& thread : threads) {
      thread.join();
    }
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

 private:
  // False: the system has no more to give. Those that there are do the work.
  bool start_one(std::vector<std::thread>& threads) {
    try {
      threads.emplace_back([this, around = ReplayScope::innermost()] {
        const ReplayScope scope(around);  // a bug met on any thread says how to see it again
        work();
      });
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

  void work() {
    std::size_t index = 0;
    try {
      const ParallelWorker worker = make_worker_();
      while (!stop_ && (index = next_++) < count_) {
        worker(index);
        const std::scoped_lock lock(mutex_);
        on_done_(++done_);
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      stop_ = true;
      if (!failure_ || index < failed_index_) {
        failure_ = std::current_exception();
        failed_index_ = index;
      }
    }
  }

  const std::size_t count_;
  const std::function<ParallelWorker()>& make_worker_;
  const std::function<void(std::size_t)>& on_done_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  // guards what follows
  std::size_t done_ = 0;
  std::exception_ptr failure_;
  std::size_t failed_index_ = 0;
};

}  // namespace

void in_parallel(std::size_t count, std::size_t jobs, const std::function<ParallelWorker()>& make_worker,
                 const std::function<void(std::size_t done)>& on_done) {
  Pool(count, make_worker, on_done).run(std::clamp<std::size_t>(jobs, 1, std::max<std::size_t>(count, 1)));
}

std::size_t default_jobs() {
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace holdfast
