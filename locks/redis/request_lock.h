// A spinning lock that tells requests apart by a value of their own, as UUID.randomUUID() makes it
// (002:L174, 003:L55). One value per acquire, the same for all attempts of that acquire.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "locks/lock.h"

namespace holdfast {

class RequestLock : public SpinningLock {
 public:
  using SpinningLock::SpinningLock;
  Task<Acquired> acquire(Caller& me, AcquireRequest request) override;

 protected:
  // The value of the calling thread's latest request that did not fail; during acquire, of this one.
  // Kept after a release, as the variable of a program is. Empty, and so equal to no value in Redis,
  // for a thread that never acquired.
  virtual const std::string& request_id(const Caller& me) const;

 private:
  std::map<std::uint32_t, std::string> request_ids_;  // by thread
};

}  // namespace holdfast
