// The story an envelope is found with: c1 takes the lock, something happens to it (or to a server) while it
// holds it, and c2 wants the lock.
//
// It is the worst the design allows for. A lock that is content with a majority gets no more than that: the
// other servers come up empty once c1 has the lock. A holder that renews its lease holds the lock for several
// renewals, for it may be wrong about a later one only; it is paused, or the clock jumps, when it took the
// lock and each time that it was about to renew it. c2 wants the lock all the time, or comes late: just in
// time to be granted it before c1 releases it, or to be there first when c1 renews it. (A waiter that sleeps
// until it is told, as Redisson's does, would miss the moment.)
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/run/simulation.h"

namespace holdfast {

struct Quantity {
  std::string_view name;  // pause, ttl, drift, jump, latency, work
  std::string_view unit;  // ms, or ppm
  std::string_view about;
  std::int64_t least = 0;
  std::int64_t most = 0;       // of a sweep, for a lease of 10 s
  std::int64_t otherwise = 0;  // its value while it is not swept
  bool more_is_safer = false;
};
std::span<const Quantity> all_quantities();
// nullptr if there is none.
const Quantity* find_quantity(std::string_view name);

// The lease of a lock that has none, where one is needed to measure by.
inline constexpr std::int64_t usual_ttl_ms = 10'000;

// A value for each quantity; what is not set is as it is otherwise, and the lease is the lock's own.
class EnvelopeSetting {
 public:
  explicit EnvelopeSetting(const LockEntry& lock);
  std::int64_t& operator[](std::string_view name);
  // Makes the lock be held for a while where nothing could go wrong otherwise.
  void give_time_for(const Quantity& swept, const LockEntry& lock);

  friend bool operator==(const EnvelopeSetting&, const EnvelopeSetting&) = default;

 private:
  std::array<std::int64_t, 6> values_{};
};

// What a lock does in the story.
class EnvelopeStory {
 public:
  EnvelopeStory(Simulation& simulation, const LockEntry& lock);

  // Of the worst moment, if there are several.
  Letter letter(EnvelopeSetting setting);
  // How long the holder can be paused according to the design: what is left of the lease at the worst moment,
  // less what it sets aside for clocks that run unevenly.
  Duration promised_pause(EnvelopeSetting setting);
  std::uint64_t runs() const { return runs_; }
  // The holder has only a majority of the servers.
  bool with_majority_only() const { return with_majority_only_; }

 private:
  // A step of c1 at which something happens to it or to a server.
  struct Moment {
    std::uint32_t ordinal = 0;
    Duration at{0};
    Duration since_request{0};  // that its lease goes back to: for the lock, or for the last renewal
    Duration into_work{0};
  };
  class Moments;

  class Arrivals;
  // What changes from run to run of one setting.
  struct Turn {
    std::uint32_t strikes_at = 0;  // a step of c1; 0: when its work begins
    Duration waiter_comes = 100ms;
  };

  Scenario scenario(EnvelopeSetting setting, const Turn& turn) const;
  RunReport run(const EnvelopeSetting& setting, const Turn& turn, StepObserver* observer = nullptr);
  const std::vector<Moment>& moments(EnvelopeSetting setting);
  Letter letter_at(const EnvelopeSetting& setting, const Moment& moment);
  // Whenever c2 comes.
  Letter worst_letter(const EnvelopeSetting& setting, const Turn& turn);

  Simulation& simulation_;
  const LockEntry& lock_;
  bool with_majority_only_ = false;
  std::uint64_t runs_ = 0;
  std::optional<EnvelopeSetting> known_;  // whose moments these are
  std::vector<Moment> moments_;
  std::size_t first_tried_ = 0;  // the moment that was the worst the last time
};

}  // namespace holdfast
