// The ways a coroutine waits inside its process: sleeping on a clock, and a counting semaphore.
//
// Both awaiters live in the waiting frame and cancel their wait when it is destroyed.
#pragma once

#include <coroutine>
#include <cstdint>
#include <optional>

#include "harness/kernel/kernel.h"

namespace holdfast {

// co_await Sleep(kernel, process, ClockKind::monotonic, reading): until that clock shows `reading`.
class [[nodiscard]] Sleep {
 public:
  Sleep(Kernel& kernel, ProcessId process, ClockKind clock, Duration reading)
      : kernel_(kernel), process_(process), clock_(clock), reading_(reading) {}
  Sleep(const Sleep&) = delete;
  Sleep& operator=(const Sleep&) = delete;
  ~Sleep() { kernel_.cancel(ticket_); }

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle) {
    ticket_ = kernel_.resume_at(process_, clock_, reading_, handle);
  }
  void await_resume() const noexcept {}

 private:
  Kernel& kernel_;
  ProcessId process_;
  ClockKind clock_;
  Duration reading_;
  Ticket ticket_;
};

// Permits shared by the threads of one process; waiters are served first come, first served.
// A mutex is a semaphore of one permit.
class Semaphore {
 public:
  Semaphore(Kernel& kernel, ProcessId process, std::int64_t permits)
      : kernel_(kernel), process_(process), permits_(permits) {
    require(permits >= 0, "nobody owes a semaphore permits");
  }
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  class [[nodiscard]] Acquire {
   public:
    Acquire(Semaphore& semaphore, std::optional<Duration> monotonic_deadline)
        : semaphore_(semaphore), deadline_(monotonic_deadline) {}
    Acquire(const Acquire&) = delete;
    Acquire& operator=(const Acquire&) = delete;
    ~Acquire() {
      semaphore_.kernel_.cancel(ticket_);
      semaphore_.unlink(*this);
    }

    bool await_ready();
    void await_suspend(std::coroutine_handle<> handle);
    // Whether a permit was got (false: the deadline passed first).
    bool await_resume();

   private:
    friend class Semaphore;
    Semaphore& semaphore_;
    std::optional<Duration> deadline_;
    Ticket ticket_;
    bool granted_ = false;
    bool linked_ = false;
    Acquire* next_ = nullptr;
  };

  // Waits for a permit, at most until the process's monotonic clock shows the deadline.
  Acquire acquire(std::optional<Duration> monotonic_deadline = std::nullopt) {
    return Acquire(*this, monotonic_deadline);
  }
  bool try_acquire();
  void release();
  std::int64_t permits() const { return permits_; }

 private:
  void link(Acquire& waiter);
  void unlink(Acquire& waiter);

  Kernel& kernel_;
  ProcessId process_;
  std::int64_t permits_;
  Acquire* first_ = nullptr;
};

}  // namespace holdfast
