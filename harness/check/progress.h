// Progress: once a thread may have the lock, does it get it: at once, after a bounded time, or never?
//
// A waiting thread is *entitled* while nobody else's open hold is in its way and no fault is going on that
// excuses waiting (a pause, a cut). Time counts from the moment it became entitled; up to the grace (a retry
// and a command timeout) is "at once". A thread that fails and asks again goes on waiting.
//
// "Never" is said only of a run that ended with nothing left to do, or whose end is proved to repeat itself
// (RunEnd::repeats). One that was merely stopped is undecided: who waited then might have got the lock later.
#pragma once

#include <vector>

#include "harness/check/check.h"
#include "harness/check/hold_tracker.h"

namespace holdfast {

enum class Progress : std::uint8_t { at_once, bounded, undecided, stuck };

class ProgressCheck final : public Check {
 public:
  CheckId id() const override { return CheckId::progress; }
  void reset(const CheckContext& context) override;
  void on_event(const Event& event, const History& history) override;
  void finish(Duration true_time, RunEnd end) override;
  Judgement judgement() const override;
  Verdict verdict(const History& history) const override;

  Progress progress() const { return progress_; }
  Duration longest_wait() const { return longest_wait_; }
  std::uint64_t grants() const { return grants_; }
  // How often a thread was granted the lock before one that had asked earlier.
  std::uint64_t overtakings() const { return overtakings_; }

 private:
  struct Waiter {
    ProcessId process{};
    std::uint32_t thread = 0;
    Mode mode = Mode::exclusive;
    Operation operation = Operation::acquire;
    std::size_t event = 0;  // its first invoke
    Duration since{0};
    bool entitled = false;
    Duration entitled_since{0};
  };

  Waiter* find(const Event& event);
  void granted(const Event& event);
  void update_entitlement(Duration now);
  // The one to blame the end of the run for.
  void blame(const Waiter& waiter, Duration since, Duration now);
  const Waiter* waits_for_ever() const;
  bool blocked(const Waiter& waiter) const;

  CheckContext context_;
  HoldTracker tracker_;
  std::vector<Waiter> waiters_;
  std::int64_t excuses_ = 0;
  std::int64_t counted_down_ = 0;
  std::uint64_t grants_ = 0;
  std::uint64_t overtakings_ = 0;
  Duration longest_wait_{0};
  std::size_t longest_event_ = 0;
  Progress progress_ = Progress::at_once;
  bool asked_ = false;  // somebody wanted the lock
  bool waits_ = false;  // somebody did to the end
  RunEnd end_ = RunEnd::finished;
};

// Fairness: grants in the order of requests.
class FairnessCheck final : public Check {
 public:
  explicit FairnessCheck(const ProgressCheck& progress) : progress_(progress) {}
  CheckId id() const override { return CheckId::fairness; }
  void reset(const CheckContext& context) override { fair_ = context.fair; }
  bool watches() const override { return false; }  // it asks progress
  void on_event(const Event&, const History&) override {}
  void finish(Duration, RunEnd) override {}
  Judgement judgement() const override;
  Verdict verdict(const History& history) const override;

 private:
  const ProgressCheck& progress_;
  bool fair_ = false;
};

}  // namespace holdfast
