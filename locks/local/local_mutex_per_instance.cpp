// local-mutex-per-instance: a mutex in an object of which there are several.
//
// Origin: 003:L2 ("in multi-instance mode the lock fails": a bean of prototype scope with the lock as
// its field).
// Idea: the mutex is a field of the service object, and every thread is given a service object of its
// own.
// Known to get wrong: each thread locks a mutex that no other thread ever sees, so nothing excludes
// anybody, even within one process.
#include <map>

#include "locks/local/designs.h"
#include "locks/local/reentrant_mutex.h"

namespace holdfast {
namespace {

class LocalMutexPerInstance final : public Lock {
 public:
  using Lock::Lock;

  Task<Acquired> acquire(Caller& me, AcquireRequest request) override {
    return instance_of_[me.env.thread()].lock(me, request.patience);
  }

  Task<Released> release(Caller& me, LockMode) override {
    co_return instance_of_[me.env.thread()].unlock(me);
  }

 private:
  std::map<std::uint32_t, ReentrantMutex> instance_of_;  // by thread
};

}  // namespace

std::unique_ptr<Lock> make_local_mutex_per_instance(LockSettings settings) {
  return std::make_unique<LocalMutexPerInstance>(std::move(settings));
}

}  // namespace holdfast
