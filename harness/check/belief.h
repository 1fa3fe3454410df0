// Mutual exclusion, ownership and re-entrancy: did clients believe to hold the lock at the same instant who
// may not?
//
// One rule, asked for three reasons. Mutual exclusion: in any run. Ownership: in a run in which a stranger
// releases what it does not hold; its own holds do not count, so any conflict is of its making.
// Re-entrancy: the conflict cut short a hold that had been acquired twice.
#pragma once

#include "harness/check/check.h"
#include "harness/check/hold_tracker.h"
#include "harness/check/loss.h"

namespace holdfast {

class BeliefCheck final : public Check {
 public:
  CheckId id() const override {
    return context_.stranger_is_set ? CheckId::ownership : CheckId::mutual_exclusion;
  }
  void reset(const CheckContext& context) override;
  void on_event(const Event& event, const History& history) override;
  void finish(Duration, RunEnd) override {}
  Judgement judgement() const override;
  Verdict verdict(const History& history) const override;

  // The first conflict, for whoever wants to show it.
  const std::optional<Conflict>& conflict() const { return conflict_; }
  const LossWatch& losses() const { return losses_; }

 private:
  void note_losses(const Event& event, std::size_t index, const std::optional<Conflict>& found);

  CheckContext context_;
  HoldTracker tracker_;
  LossWatch losses_;
  std::optional<Conflict> conflict_;
  bool was_tried_ = false;            // somebody held the lock; of ownership: and the stranger released it
  std::size_t stranger_release_ = 0;  // index of its last release before the conflict
  std::optional<Duration> overlap_end_;
};

// What belief's losses come to: a verdict of its own.
class LossCheck final : public Check {
 public:
  explicit LossCheck(const BeliefCheck& belief) : belief_(belief) {}
  CheckId id() const override { return CheckId::undetected_loss; }
  void reset(const CheckContext&) override {}
  bool watches() const override { return false; }  // it asks belief
  void on_event(const Event&, const History&) override {}
  void finish(Duration, RunEnd) override {}
  Judgement judgement() const override;
  Verdict verdict(const History& history) const override;

 private:
  const BeliefCheck& belief_;
};

class ReentrancyCheck final : public Check {
 public:
  CheckId id() const override { return CheckId::reentrancy; }
  void reset(const CheckContext& context) override;
  bool watches() const override { return context_.reentrant; }
  void on_event(const Event& event, const History& history) override;
  void finish(Duration, RunEnd) override {}
  Judgement judgement() const override;
  Verdict verdict(const History& history) const override;

 private:
  CheckContext context_;
  HoldTracker tracker_;
  bool nested_ = false;
  std::optional<Conflict> conflict_;
};

}  // namespace holdfast
