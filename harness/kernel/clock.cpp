#include "harness/kernel/clock.h"

namespace holdfast {
namespace {

__extension__ using Wide = __int128;  // the product of a time and a rate needs more than 64 bits

}  // namespace

Duration Clock::read_scaled(Duration true_time) const {
  const Wide elapsed = (true_time - base_true_).count();
  return base_reading_ + Duration(static_cast<std::int64_t>(elapsed * rate_ / true_rate));
}

Duration Clock::when(Duration reading, Duration true_now) const {
  const Duration missing = reading - read(true_now);
  if (missing <= Duration::zero()) {
    return true_now;
  }
  if (rate_ == true_rate) {
    return true_now + missing;
  }
  if (rate_ <= 0) {
    return never;
  }
  const Wide needed = Wide(missing.count()) * true_rate;
  const Wide wait = (needed + rate_ - 1) / rate_;
  Duration at = true_now + Duration(static_cast<std::int64_t>(wait));
  // Rounding in read() may leave the reading one nanosecond short.
  while (read(at) < reading) {
    at += 1ns;
  }
  return at;
}

}  // namespace holdfast
