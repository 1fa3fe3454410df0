// The interface of every lock in the catalog.
//
// One Lock object exists per process and is shared by its threads, as an RLock obtained from a client
// library is; state in it is that process's memory and is lost when the process dies. A method is
// called with the Caller: the calling thread's Env and its connections. Nothing here knows which world
// it runs in.
//
// Expected failures are return values. `ok` means granted / released. `failed` means certainly not
// (somebody else has it; the lock said it is not mine). `unknown` means the lock cannot tell, where a
// client library would throw out of the call (a timeout, a broken connection, an error reply).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "harness/env/env.h"
#include "harness/kernel/frame_pool.h"
#include "harness/stores/store_client.h"

namespace holdfast {

// The calling thread.
struct Caller {
  Env& env;
  const StoreClients& stores;

  // How many servers the lock was given.
  std::size_t servers() const { return stores.count(); }
};

enum class LockMode : std::uint8_t { exclusive, shared };

struct AcquireRequest {
  LockMode mode = LockMode::exclusive;
  // Give up after this long (on the caller's monotonic clock); without it, wait as long as the design
  // does, for ever if it blocks.
  std::optional<Duration> patience;
};

struct Acquired {
  enum class Outcome : std::uint8_t { ok, failed, unknown };
  Outcome outcome = Outcome::failed;
  std::optional<std::int64_t> token;  // the fencing token, if the design has one
  std::string problem;                // why not ok; empty if another holds it, which is told all the time
  bool server_error = false;          // the server answered, but with an error: it will again

  static Acquired granted(std::optional<std::int64_t> fencing_token = std::nullopt) {
    return {Outcome::ok, fencing_token, {}, false};
  }
  static Acquired busy() { return {}; }
  static Acquired busy(std::string why) { return {Outcome::failed, {}, std::move(why), false}; }
  static Acquired unknown(std::string why) { return {Outcome::unknown, {}, std::move(why), false}; }
  static Acquired unknown(const StoreAnswer auto& answer) {
    return {Outcome::unknown, {}, answer.problem(), !answer.failed()};
  }
  bool ok() const { return outcome == Outcome::ok; }
  // For the reader.
  std::string_view why() const {
    return outcome == Outcome::failed && problem.empty() ? std::string_view("held by another") : problem;
  }
};

struct Released {
  enum class Outcome : std::uint8_t { ok, failed, unknown };
  Outcome outcome = Outcome::ok;
  std::string problem;
  bool server_error = false;

  static Released done() { return {}; }
  static Released refused(std::string why) { return {Outcome::failed, std::move(why), false}; }
  static Released unknown(std::string why) { return {Outcome::unknown, std::move(why), false}; }
  static Released unknown(const StoreAnswer auto& answer) {
    return {Outcome::unknown, answer.problem(), !answer.failed()};
  }
  bool ok() const { return outcome == Outcome::ok; }
  // For the reader.
  std::string_view why() const { return problem; }
};

// The knobs of a design, with the values the catalog runs it at unless a scenario says otherwise.
struct LockSettings {
  std::string key = "lock";
  Duration ttl = 10s;               // lease, expiry, session: whatever the design calls it
  Duration retry_interval = 100ms;  // between two attempts of a design that spins
  Duration retry_jitter = 20ms;     // a random part on top, below this
  Duration patience = 120s;         // of a design with a bounded number of retries, at the longest
  std::int64_t permits = 2;         // of a semaphore
  std::int64_t count = 2;           // of a latch
  std::int64_t wait_replicas = 0;   // WAIT for so many replicas after a write, where the design can
};

class Lock : public frame_pool::Pooled {
 public:
  explicit Lock(LockSettings settings) : settings_(std::move(settings)) {}
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  virtual ~Lock() = default;

  virtual Task<Acquired> acquire(Caller& me, AcquireRequest request) = 0;
  virtual Task<Released> release(Caller& me, LockMode mode) = 0;

  // How many more times this thread's code will run the guarded work though it asked for the lock once:
  // only a design that calls itself again does (redis-recursive-retry).
  virtual std::size_t extra_work(const Caller&) const { return 0; }

  // Whether the caller's hold is known to be gone, from what this process has heard of it or reckoned by
  // itself: a renewal was refused, the session is over, the lease has run out. Asked just before each write;
  // it asks no server. A design that cannot tell does not know.
  virtual bool lost(const Caller&) const { return false; }

  const LockSettings& settings() const { return settings_; }

 protected:
  // What a spinning design sleeps between two attempts.
  Duration retry_pause(Caller& me) const {
    const auto jitter_ms = static_cast<std::uint64_t>(to_milliseconds(settings_.retry_jitter));
    return settings_.retry_interval + std::chrono::milliseconds(me.env.random(jitter_ms + 1));
  }

 private:
  LockSettings settings_;
};

// Spins: asks try_once until it is granted, fails for good (unknown), or patience runs out.
// The shape most designs share; what differs is one attempt.
class SpinningLock : public Lock {
 public:
  using Lock::Lock;
  Task<Acquired> acquire(Caller& me, AcquireRequest request) override;

 protected:
  // One attempt: granted, busy (ask again), or unknown (an exception left the call).
  virtual Task<Acquired> try_once(Caller& me, AcquireRequest request) = 0;
};

// A countdown latch: not a lock, but part of the catalog (redisson-latch).
class Latch {
 public:
  Latch() = default;
  Latch(const Latch&) = delete;
  Latch& operator=(const Latch&) = delete;
  virtual ~Latch() = default;
  // Sets the count if it is not set.
  virtual Task<Released> set_count(Caller& me, std::int64_t count) = 0;
  virtual Task<Released> count_down(Caller& me) = 0;
  // Returns ok when the count has reached zero.
  virtual Task<Acquired> await_zero(Caller& me, std::optional<Duration> patience) = 0;
};

}  // namespace holdfast
