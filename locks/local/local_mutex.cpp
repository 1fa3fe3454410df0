// local-mutex: the lock of a single application, in a cluster.
//
// Origin: 001:L7 ("local locks: synchronized, ReentrantLock"), 003:L4 ("in a cluster deployment").
// Idea: one mutex in the memory of each process; every thread of that process locks it.
// Known to get wrong: two processes have two mutexes, so it excludes nobody in another process.
#include "locks/local/designs.h"
#include "locks/local/reentrant_mutex.h"

namespace holdfast {
namespace {

class LocalMutex final : public Lock {
 public:
  using Lock::Lock;

  Task<Acquired> acquire(Caller& me, AcquireRequest request) override {
    return mutex_.lock(me, request.patience);
  }

  Task<Released> release(Caller& me, LockMode) override { co_return mutex_.unlock(me); }

 private:
  ReentrantMutex mutex_;
};

}  // namespace

std::unique_ptr<Lock> make_local_mutex(LockSettings settings) {
  return std::make_unique<LocalMutex>(std::move(settings));
}

}  // namespace holdfast
