// One clock of one process: a piecewise linear function of true time.
//
// It can be offset, jumped, drifted, slewed (a drift that ends) and frozen. All arithmetic is in
// integers: a rate is nanoseconds of clock per second of true time, so 1'000'000'000 is exact.
#pragma once

#include <cstdint>

#include "harness/kernel/time.h"

namespace holdfast {

class Clock {
 public:
  static constexpr std::int64_t true_rate = 1'000'000'000;

  Clock() = default;
  explicit Clock(Duration reading_at_start) : base_reading_(reading_at_start) {}

  Duration read(Duration true_time) const {
    if (rate_ == true_rate) {
      return base_reading_ + (true_time - base_true_);
    }
    return read_scaled(true_time);
  }

  // The earliest true time at which the clock, left alone, shows at least `reading`; `never` if frozen
  // short of it. At most `true_now` if it already does.
  Duration when(Duration reading, Duration true_now) const;

  void jump(Duration by, Duration true_now) {
    rebase(true_now);
    base_reading_ += by;
  }
  void set_rate(std::int64_t rate, Duration true_now) {
    rebase(true_now);
    rate_ = rate;
  }
  std::int64_t rate() const { return rate_; }
  bool frozen() const { return rate_ == 0; }

 private:
  void rebase(Duration true_now) {
    base_reading_ = read(true_now);
    base_true_ = true_now;
  }
  Duration read_scaled(Duration true_time) const;

  Duration base_true_{0};
  Duration base_reading_{0};
  std::int64_t rate_ = true_rate;
};

}  // namespace holdfast
