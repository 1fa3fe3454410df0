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
  const Duration shown = read(true_now);
  if (reading <= shown) {
    return true_now;
  }
  if (rate_ <= 0) {
    return never;
  }
  Wide at = Wide(true_now.count()) + reading.count() - shown.count();
  if (rate_ != true_rate) {
    // From the base and not from now: read() rounds down from there, so this is exact.
    const Wide needed = (Wide(reading.count()) - base_reading_.count()) * true_rate;
    at = (needed + rate_ - 1) / rate_ + base_true_.count();
  }
  return at < never.count() ? Duration(static_cast<std::int64_t>(at)) : never;
}

}  // namespace holdfast
