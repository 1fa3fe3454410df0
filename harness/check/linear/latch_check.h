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

  std::unique_ptr<FastCheck> clone() const override { return std::make_unique<LatchCheck>(*this); }

 private:
  // What the client's last call found when it was invoked.
  struct Found {
    bool was_open = false;         // when it was invoked, the latch must have been open already
    bool may_have_helped = false;  // a count-down invoked before the first answer that shows it open
  };
  void on_new_client() override { clients_.emplace_back(); }
  void on_invoke(const CallEvent& event, Position position) override;
  void on_return(const CallEvent& event, Position position) override;
  void on_ended(const CallEvent&, Position) override {}
  void did_not_count(const Found& found, const CallEvent& event, Position position);

  std::uint32_t count_;
  std::uint64_t helpful_ = 0;   // count-downs that may have happened before an answer showed it open
  std::uint64_t happened_ = 0;  // that have returned
  bool was_open_ = false;       // an answer has shown it
  std::vector<Found> clients_;
};

}  // namespace holdfast::linear
