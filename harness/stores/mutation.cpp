#include "harness/stores/mutation.h"

#include <array>

namespace holdfast {

std::string_view to_text(CallPhase phase) {
  constexpr std::array<std::string_view, 3> names{"acquire", "release", "meanwhile"};
  return names.at(static_cast<std::size_t>(phase));
}

void MutationSeat::call_begins() {
  // Not as the process, which need not look at its clocks at all.
  wall_before_ = env_.kernel().read_clock(env_.process(), ClockKind::wall);
  monotonic_before_ = env_.kernel().read_clock(env_.process(), ClockKind::monotonic);
}

std::optional<Duration> MutationSeat::reading_before_call(ClockKind clock) const {
  if (!ended_ || *ended_ != env_.kernel().now()) {
    return std::nullopt;
  }
  return clock == ClockKind::wall ? wall_before_ : monotonic_before_;
}

}  // namespace holdfast
