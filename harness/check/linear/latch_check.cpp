#include "harness/check/linear/latch_check.h"

namespace holdfast::linear {

void LatchCheck::observe(const CallEvent& event, Position position) {
  if (decided()) {
    return;
  }
  if (event.client >= clients_.size()) {
    clients_.resize(event.client + 1);
  }
  Open& open = clients_[event.client];
  switch (event.type) {
    case CallEventType::invoke:
      invoke(open, event, position);
      return;
    case CallEventType::ended:
      open.ended = open.is_open;
      return;
    default:
      finish_call(open, event, position);
  }
}

void LatchCheck::invoke(Open& open, const CallEvent& event, Position position) {
  if (open.is_open && !open.ended) {
    reject(event, position, "a client calls while its call before is still open");
    return;
  }
  const bool counts_down = event.action == Action::count_down;
  open = {true, false, event.action, was_open_ || happened_ >= count_, counts_down && !was_open_};
  helpful_ += open.may_have_helped ? 1 : 0;
}

void LatchCheck::finish_call(Open& open, const CallEvent& event, Position position) {
  if (!open.is_open || open.action != event.action) {
    reject(event, position, "a return without such a call");
    return;
  }
  open.is_open = false;
  const bool counts_down = event.action == Action::count_down;
  if (counts_down && (event.type == CallEventType::fail || event.refused)) {
    did_not_count(open, event, position);
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
  } else if (open.was_open) {
    fail(FastCause::still_closed, event, position);
  }
}

// If an answer needed it, that answer was wrong.
void LatchCheck::did_not_count(const Open& open, const CallEvent& event, Position position) {
  helpful_ -= open.may_have_helped ? 1 : 0;
  if (was_open_ && helpful_ < count_) {
    fail(FastCause::too_early, event, position);
  }
}

}  // namespace holdfast::linear
