// redlock: a majority of servers, in good time (see redlock.cpp).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "harness/stores/redis/client.h"
#include "locks/redis/request_lock.h"

namespace holdfast {

// What it allows for clocks that run unevenly.
constexpr Duration redlock_drift(Duration ttl) {
  return ttl / 100 + 2ms;
}

class Redlock : public RequestLock {
 public:
  explicit Redlock(LockSettings settings, ClockKind clock = ClockKind::monotonic)
      : RequestLock(std::move(settings)), clock_(clock) {}

  Task<Released> release(Caller& me, LockMode mode) override;

 protected:
  // By server: whether it granted the lock.
  using Grants = std::vector<bool>;

  Task<Acquired> try_once(Caller& me, AcquireRequest request) override;

  // The decisions of the algorithm.
  virtual std::size_t quorum(std::size_t servers) const { return servers / 2 + 1; }
  virtual bool is_grant(const redis::Answer& answer) const { return answer.is_ok(); }
  virtual bool is_valid(Duration validity) const { return validity > 0ns; }
  // After an attempt that failed.
  virtual Task<> give_back(Caller& me, Grants grants);

  // How long to wait for one server.
  Duration server_timeout() const;

 private:
  Duration now(const Caller& me) const {
    return clock_ == ClockKind::monotonic ? me.env.monotonic() : me.env.wall();
  }

  ClockKind clock_;
};

}  // namespace holdfast
