// Redisson's watchdog (004:L230–272): while this process holds the lock, its lease is set back to full
// every third of a lease.
//
// One Renewal is one entry of Redisson's renewal map, which has an entry per process and lock name: the
// threads that hold it, each with how often. The watchdog watches the *entry*, not the work: it goes on
// when the thread that holds the lock is dead or stuck, as long as its process lives.
//
// In releases from 3.44 a timer that was set is never taken back: whoever unlocks and locks again before it
// is due has two of them from then on, and renews twice as often. Before, the end of the last hold took its
// timer along.
//
// Deviations: where, before 3.44, an answer that arrives after its hold ended finds the entry of a later
// hold, Redisson runs two timers from then on; here the older one takes over. It renews on the connection of
// the thread that started it. (One timer renews all locks of a process, in batches; here a process has one
// lock.)
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "harness/stores/redis/client.h"
#include "locks/lock.h"

namespace holdfast::redisson {

class Renewable {
 public:
  Renewable() = default;
  Renewable(const Renewable&) = delete;
  Renewable& operator=(const Renewable&) = delete;
  // Sets the lease of these threads of my process back to full. Answers 1, or 0 if none of them holds
  // the lock any more.
  virtual Task<redis::Answer> renew(Caller& me, std::vector<std::uint32_t> threads) = 0;

 protected:
  ~Renewable() = default;
};

// What a renewal does when it fails.
enum class RenewalStyle : std::uint8_t {
  // 3.44 to 4.7.0 (conformance/): an exception is logged and the next tick tries again; a 0 takes the thread
  // that was
  // asked for off the entry.
  current,
  // 004:L250–267, of a release before 3.44: an exception, or a 0, removes the whole entry.
  as_printed_in_004,
};

// Whom one renewal asks for: a mutex has one holder (the first thread of the entry, 004:L243), a read
// lock many.
enum class RenewalScope : std::uint8_t { first_thread, all_threads };

class Renewal {
 public:
  // `renewable` owns this.
  Renewal(Renewable& renewable, Duration lease, RenewalStyle style, RenewalScope scope)
      : renewable_(renewable), lease_(lease), style_(style), scope_(scope) {}
  Renewal(const Renewal&) = delete;
  Renewal& operator=(const Renewal&) = delete;

  // The caller was granted the lock (once more).
  void schedule(Caller& me);
  // The thread gave up one hold.
  void cancel(std::uint32_t thread);

 private:
  struct Holder {
    std::uint32_t thread = 0;
    std::int64_t holds = 0;
  };
  struct Entry {
    std::vector<Holder> holders;  // in the order of their first acquire
    std::uint64_t watchdog = 0;   // the only one that may go on, before 3.44
  };

  Task<> watch(Caller& me, std::uint64_t self);
  bool may_go_on(std::uint64_t watchdog) const;
  std::vector<std::uint32_t> threads_to_renew() const;

  Renewable& renewable_;
  Duration lease_;
  RenewalStyle style_;
  RenewalScope scope_;
  std::optional<Entry> entry_;
  std::uint64_t watchdogs_started_ = 0;
};

}  // namespace holdfast::redisson
