#include "locks/local/reentrant_mutex.h"

namespace holdfast {

Task<Acquired> ReentrantMutex::lock(Caller& me, std::optional<Duration> patience) {
  if (owner_thread_ == me.env.thread()) {
    ++holds_;
    co_return Acquired::granted();
  }
  if (!permit_) {
    permit_.reset(new Semaphore(me.env.make_semaphore(1)));  // not make_unique: it cannot be moved
  }
  std::optional<Duration> deadline;
  if (patience) {
    deadline = me.env.monotonic() + *patience;
  }
  const bool got = co_await permit_->acquire(deadline);
  if (!got) {
    co_return Acquired::busy("gave up waiting");
  }
  owner_thread_ = me.env.thread();
  holds_ = 1;
  co_return Acquired::granted();
}

Released ReentrantMutex::unlock(Caller& me) {
  if (owner_thread_ != me.env.thread()) {
    return Released::refused("this thread does not hold the mutex");
  }
  if (--holds_ == 0) {
    owner_thread_.reset();
    permit_->release();
  }
  return Released::done();
}

}  // namespace holdfast
