// The way every Redisson object waits: try; subscribe; then try again after each message, or when the
// holder's lease must have run out (004:L149–200, and tryLock(waitTime), which counts its time down).
//
// Deviations: each thread has a subscription of its own, where Redisson shares one per process and so
// wakes one of its threads a message; and unsubscribing is awaited, so a waiter's grant returns one round
// trip later than Redisson's does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "locks/lock.h"
#include "locks/redis/client.h"

namespace holdfast::redisson {

// One try.
struct Attempt {
  enum class Outcome : std::uint8_t { granted, busy, threw };
  Outcome outcome = Outcome::busy;
  std::int64_t ttl_ms = -1;  // busy: after so long it is worth trying again; negative: only a message helps
  std::optional<std::int64_t> token;
  std::string problem;  // threw: what the exception says

  static Attempt granted(std::optional<std::int64_t> fencing_token = std::nullopt) {
    return {Outcome::granted, -1, fencing_token, {}};
  }
  static Attempt busy(std::int64_t ttl_ms = -1) { return {Outcome::busy, ttl_ms, {}, {}}; }
  static Attempt threw(std::string why) { return {Outcome::threw, -1, {}, std::move(why)}; }

  bool is_busy() const { return outcome == Outcome::busy; }
  bool is_granted() const { return outcome == Outcome::granted; }
  // Of an attempt that is not busy.
  Acquired result() const { return is_granted() ? Acquired::granted(token) : Acquired::unknown(problem); }
};

// What is left of the time a caller is willing to wait. Counted on the wall clock, because Redisson
// subtracts readings of System.currentTimeMillis(): a jump of that clock shortens or stretches the wait.
class Countdown {
 public:
  Countdown(const Env& env, std::optional<Duration> patience) : env_(&env) {
    if (patience) {
      deadline_wall_ = env.wall_stopwatch() + *patience;
    }
  }
  bool limited() const { return deadline_wall_.has_value(); }
  bool over() const { return limited() && *deadline_wall_ <= env_->wall_stopwatch(); }
  // Of a limited one.
  Duration left() const { return *deadline_wall_ - env_->wall_stopwatch(); }

 private:
  const Env* env_;
  std::optional<Duration> deadline_wall_;
};

// Something several processes want.
class Contended {
 public:
  Contended() = default;
  Contended(const Contended&) = delete;
  Contended& operator=(const Contended&) = delete;

  virtual Task<Attempt> attempt(Caller& me, AcquireRequest request) = 0;
  // Where a message says that an attempt may succeed now.
  virtual std::string channel(Caller& me) const = 0;
  // The connection both go to.
  virtual redis::Client& connection(Caller& me) const { return redis::client(me); }
  // Whether one who has waited in vain tries once more before giving up.
  virtual bool looks_once_more() const { return false; }
  // The caller's patience ran out: leave no trace on the server.
  virtual Task<> give_up(Caller& me, AcquireRequest request);

 protected:
  ~Contended() = default;
};

// Waits until an attempt is granted or throws, or the request's patience is over. `contended` and `me`
// must live as long as the process.
Task<Acquired> wait_for_grant(Contended& contended, Caller& me, AcquireRequest request);

}  // namespace holdfast::redisson
