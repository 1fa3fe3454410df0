#include "harness/check/linear/latch_check.h"

#include "harness/kernel/require.h"

namespace holdfast::linear {

void LatchCheck::on_invoke(const CallEvent& event, Position) {
  Found& found = clients_[event.client];
  found.was_open = was_open_ || happened_ >= count_;
  found.may_have_helped = event.action == Action::count_down && !was_open_;
  helpful_ += found.may_have_helped ? 1 : 0;
}

void LatchCheck::on_return(const CallEvent& event, Position position) {
  const Found& found = clients_[event.client];
  const bool counts_down = event.action == Action::count_down;
  if (counts_down && (event.type == CallEventType::fail || event.refused)) {
    did_not_count(found, event, position);
  }
  if (event.type != CallEventType::ok || decided()) {
    return;
  }
  const bool shows_open = counts_down == event.refused;
  if (shows_open) {
    was_open_ = true;
    if (helpful_ < count_) {
      fail(FastCause::too_early, event, position);
    }
  } else if (counts_down) {
    ++happened_;
  } else if (found.was_open) {
    fail(FastCause::still_closed, event, position);
  }
}

// If an answer needed it, that answer was wrong.
void LatchCheck::did_not_count(const Found& found, const CallEvent& event, Position position) {
  require(!found.may_have_helped || helpful_ > 0, "no more count-downs are taken back than were counted");
  helpful_ -= found.may_have_helped ? 1 : 0;
  if (was_open_ && helpful_ < count_) {
    fail(FastCause::too_early, event, position);
  }
}

}  // namespace holdfast::linear
