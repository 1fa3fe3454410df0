// The turns of a thread (WaitKind::turn), which shows by their number that it waits for time after all.
//
// Then it gets time: a microsecond at first, for all that it waits for may be that the clock changes; and
// each time more of it for fewer turns, up to a millisecond for one, or whoever waits so for a minute would
// be watched for hours. With its next wait of another kind all is forgotten.
#pragma once

#include <algorithm>
#include <cstdint>

#include "harness/machine/rest/units.h"

namespace holdfast::rest {

class Turns {
 public:
  void begin_instant() { of_this_instant_ = 0; }
  void begin_anew() { late_ns_ = 0; }

  // One more: whether it is one too many of this instant.
  bool is_late() { return ++of_this_instant_ > most(); }
  // How long that one lasts.
  std::int64_t next_late_ns() {
    late_ns_ = std::clamp(late_ns_ * 2, microsecond_ns, millisecond_ns);
    return late_ns_;
  }

 private:
  std::int64_t most() const {
    constexpr std::int64_t at_first = 100;
    return late_ns_ == 0 ? at_first : std::max<std::int64_t>(1, at_first * microsecond_ns / late_ns_);
  }

  std::int64_t of_this_instant_ = 0;
  std::int64_t late_ns_ = 0;
};

}  // namespace holdfast::rest
