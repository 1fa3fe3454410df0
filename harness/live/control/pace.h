// How fast a live run goes: as fast as the story stays the same.
//
// All durations of a scenario are divided, and a lock takes its own from the settings that it is given. One
// that does not (a lease that stands in its code) would live through another story than the one that is told:
// of a pause of 15 s three quarters of a second are left, which a lease of 10 s outlasts. So both stories are
// told in `sim` first, as they are and divided, and compared: by the leases that servers were asked for, and
// by their letters.
#pragma once

#include <cstdint>
#include <string>

#include "harness/live/control/live_request.h"

namespace holdfast::live {

struct Pace {
  std::int64_t speed_up = 1;  // the scenario's durations are divided by this, or by less (scale())
  // Why that is less than usual: "my-lock asks for a lease of 10 s, whatever its settings say"; empty: it is
  // not.
  std::string why_slower;
};

// What its user wants; or else as fast as usual, or as it is told.
Pace pace_of(const LiveRequest& request);

// Why the story would be another one if all its durations were divided by this; empty: it would not.
std::string why_not_divided(const LiveRequest& request, std::int64_t speed_up);

}  // namespace holdfast::live
