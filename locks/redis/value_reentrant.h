// redis-value-reentrant: who finds its own value in the key re-enters (see value_reentrant.cpp).
#pragma once

#include <string>

#include "locks/lock.h"

namespace holdfast {

class ValueReentrant : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;
  Task<Released> release(Caller& me, LockMode mode) override;

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest request) override;
  // What the calling thread puts into the key.
  virtual std::string value(const Caller& me) const { return me.env.thread_name(); }
};

}  // namespace holdfast
