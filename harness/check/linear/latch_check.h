// The fast check of a latch: counts, nothing else.
//
// The latch opens at one instant. It may be put as late as just before the first answer that needs it open,
// and must not come before enough count-downs were invoked; a waiter that was turned away looked, at the
// earliest, when it was invoked.
#pragma once

#include "harness/check/linear/fast.h"

namespace holdfast::linear {

class LatchCheck final : public FastCheck {
 public:
  explicit LatchCheck(std::uint32_t count) : count_(count) {}

  void observe(const CallEvent& event, Position position) override;
  void finish() override {}
  std::unique_ptr<FastCheck> clone() const override { return std::make_unique<LatchCheck>(*this); }
  void set_reading(Reading) override {}

 private:
  struct Open {
    bool is_open = false;
    bool ended = false;
    Action action = Action::count_down;
    bool was_open = false;         // when it was invoked, the latch must have been open already
    bool may_have_helped = false;  // a count-down invoked before the first answer that shows it open
  };
  void invoke(Open& open, const CallEvent& event, Position position);
  void finish_call(Open& open, const CallEvent& event, Position position);
  void did_not_count(const Open& open, const CallEvent& event, Position position);

  std::uint32_t count_;
  std::uint64_t helpful_ = 0;   // count-downs that may have happened before an answer showed it open
  std::uint64_t happened_ = 0;  // that have returned
  bool was_open_ = false;       // an answer has shown it
  std::vector<Open> clients_;
};

}  // namespace holdfast::linear
