// A countdown latch: nobody passes before everybody has counted down.
#pragma once

#include "harness/check/check.h"

namespace holdfast {

class LatchCheck final : public Check {
 public:
  CheckId id() const override { return CheckId::latch; }
  void reset(const CheckContext& context) override;
  bool watches() const override { return count_ > 0; }
  void on_event(const Event& event, const History& history) override;
  void finish(Duration, RunEnd) override {}
  Judgement judgement() const override;
  Verdict verdict(const History& history) const override;

 private:
  std::int64_t count_ = 0;
  std::int64_t started_ = 0;  // count-downs invoked: one without an answer may have counted
  bool passed_ = false;
  bool too_early_ = false;
  std::size_t event_ = 0;
  std::int64_t started_then_ = 0;
};

}  // namespace holdfast
