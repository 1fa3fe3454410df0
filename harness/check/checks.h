// All checks of a run together, and the letter they come to.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "harness/check/belief.h"
#include "harness/check/errors.h"
#include "harness/check/latch.h"
#include "harness/check/progress.h"
#include "harness/check/resource.h"
#include "harness/check/tokens.h"

namespace holdfast {

class Checks {
 public:
  Checks() = default;
  Checks(const Checks&) = delete;
  Checks& operator=(const Checks&) = delete;

  // `properties`: the ids (or names) of those that count; empty: all. Must outlive the run.
  void reset(const CheckContext& context, const std::vector<std::string>& properties, History& history);
  void finish(Duration true_time, RunEnd end);

  // `storage_checks_tokens`: stale writes are rejected, so two holders need not hurt.
  Letter letter(bool storage_checks_tokens) const;
  // Something came of it: an update was lost, a token went back, a latch opened too early.
  bool is_harmed() const { return is_violated(LetterEffect::harm); }
  // Whether a reader of the run sees what its letter says: two holders for an instant harm nobody, and a
  // token that rejected nothing was not needed.
  bool shows(Letter letter) const;
  // Some check that counts had something to look at: without one there is no letter but U.
  bool has_checked() const;
  // What the lock claims beside what makes the letter, and did not keep.
  std::vector<std::string_view> broken_claims() const;
  // Of a run that goes on: whether its letter still depends on who gets the lock, and when.
  bool waits_for_progress(bool storage_checks_tokens) const;
  std::vector<Verdict> verdicts(const History& history) const;
  const ProgressCheck& progress() const { return progress_; }
  Loss loss() const { return counts(loss_) ? belief_.losses().worst() : Loss::none; }

 private:
  bool counts(const Check& check) const;
  bool is_violated(LetterEffect effect) const;
  bool violated(const Check& check) const {
    return check.judgement() == Judgement::violated && counts(check);
  }

  CheckContext context_;
  const std::vector<std::string>* properties_ = nullptr;
  BeliefCheck belief_;
  TokenCheck tokens_;
  ResourceCheck resource_;
  LatchCheck latch_;
  ReentrancyCheck reentrancy_;
  ProgressCheck progress_;
  FairnessCheck fairness_{progress_};
  ErrorCheck errors_;
  LossCheck loss_{belief_};
  std::array<Check*, 9> all_{&belief_,   &tokens_,   &resource_, &latch_, &reentrancy_,
                             &progress_, &fairness_, &errors_,   &loss_};
};

}  // namespace holdfast
