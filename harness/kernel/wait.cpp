#include "harness/kernel/wait.h"

namespace holdfast {

bool Semaphore::try_acquire() {
  if (permits_ <= 0 || first_ != nullptr) {
    return false;
  }
  --permits_;
  return true;
}

void Semaphore::release() {
  if (first_ == nullptr) {
    ++permits_;
    return;
  }
  // Handed over, not put back: a newcomer cannot overtake the one who waited.
  Acquire& waiter = *first_;
  unlink(waiter);
  require(!waiter.granted_, "a permit is granted once");
  waiter.granted_ = true;
  kernel_.wake(waiter.ticket_);
}

void Semaphore::link(Acquire& waiter) {
  require(!waiter.linked_, "a waiter stands in the queue once");
  Acquire** end = &first_;
  while (*end != nullptr) {
    end = &(*end)->next_;
  }
  *end = &waiter;
  waiter.next_ = nullptr;
  waiter.linked_ = true;
}

void Semaphore::unlink(Acquire& waiter) {
  if (!waiter.linked_) {
    return;
  }
  Acquire** at = &first_;
  while (*at != &waiter) {
    require(*at != nullptr, "who leaves the queue of a semaphore stood in it");
    at = &(*at)->next_;
  }
  *at = waiter.next_;
  waiter.linked_ = false;
}

bool Semaphore::Acquire::await_ready() {
  granted_ = semaphore_.try_acquire();
  return granted_;
}

void Semaphore::Acquire::await_suspend(std::coroutine_handle<> handle) {
  Kernel& kernel = semaphore_.kernel_;
  ticket_ = deadline_ ? kernel.resume_at(semaphore_.process_, ClockKind::monotonic, *deadline_, handle)
                      : kernel.resume_when_woken(semaphore_.process_, handle);
  semaphore_.link(*this);
}

bool Semaphore::Acquire::await_resume() {
  semaphore_.unlink(*this);
  return granted_;
}

}  // namespace holdfast
