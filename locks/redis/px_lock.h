// SET lockKey requestId NX PX expireTime (002:L153, 003:L57): how the redis-px designs acquire. They
// differ in how they release.
#pragma once

#include "locks/redis/request_lock.h"

namespace holdfast {

class PxLock : public RequestLock {
 public:
  using RequestLock::RequestLock;

 protected:
  Task<Acquired> try_once(Caller& me, AcquireRequest request) override;
};

}  // namespace holdfast
