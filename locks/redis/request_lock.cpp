#include "locks/redis/request_lock.h"

namespace holdfast {

Task<Acquired> RequestLock::acquire(Caller& me, AcquireRequest request) {
  const std::string previous_id = request_id(me);
  request_ids_[me.env.thread()] = me.env.unique_id();
  Acquired result = co_await SpinningLock::acquire(me, request);
  if (result.outcome == Acquired::Outcome::failed) {
    // A nested acquire that gave up must not cost the thread the value it holds the lock with.
    request_ids_[me.env.thread()] = previous_id;
  }
  co_return result;
}

const std::string& RequestLock::request_id(const Caller& me) const {
  static const std::string none;
  const auto found = request_ids_.find(me.env.thread());
  return found == request_ids_.end() ? none : found->second;
}

}  // namespace holdfast
