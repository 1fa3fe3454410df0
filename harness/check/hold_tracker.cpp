#include "harness/check/hold_tracker.h"

#include <algorithm>

namespace holdfast {

std::optional<Conflict> HoldTracker::take_in(const Event& event, std::size_t index) {
  if (event.type == EventType::ok) {
    return grant(event, index);
  }
  if (event.type == EventType::invoke) {
    release(event);
  } else if (event.type == EventType::died) {
    std::erase_if(holds_, [&](const Hold& hold) {
      return hold.process == event.process && (event.thread == 0 || hold.thread == event.thread);
    });
  } else {
    std::erase_if(holds_, [&](const Hold& hold) { return hold.session == event.session; });
  }
  return std::nullopt;
}

bool HoldTracker::blocks(ProcessId process, std::uint32_t thread, Mode mode) const {
  std::int64_t in_the_way = 0;
  for (const Hold& hold : holds_) {
    const bool own = hold.process == process && hold.thread == thread;
    const bool compatible = mode == Mode::shared && hold.mode == Mode::shared;
    in_the_way += !compatible && (!own || context_.permits > 1) ? 1 : 0;
  }
  return in_the_way >= context_.permits;
}

std::optional<Conflict> HoldTracker::grant(const Event& event, std::size_t index) {
  if (context_.is_stranger(event.process, event.thread)) {
    return std::nullopt;
  }
  const Hold later{event.process, event.thread, event.mode, event.session, 1, false, index, event.true_time};
  const auto own = std::find_if(holds_.begin(), holds_.end(), [&](const Hold& hold) {
    return hold.process == event.process && hold.thread == event.thread && hold.mode == event.mode;
  });
  std::optional<Conflict> conflict;
  if (blocks(event.process, event.thread, event.mode)) {
    const auto earlier = std::find_if(holds_.begin(), holds_.end(), [&](const Hold& hold) {
      const bool same_thread = hold.process == event.process && hold.thread == event.thread;
      return (!same_thread || context_.permits > 1) &&
             !(hold.mode == Mode::shared && event.mode == Mode::shared);
    });
    require(earlier != holds_.end(), "whoever is in the way of a grant holds the lock");
    conflict = Conflict{*earlier, later};
  }
  if (own == holds_.end() || context_.permits > 1) {
    holds_.push_back(later);
  } else if (is_entered_again(*own, event.true_time)) {
    ++own->depth;
    own->nested = true;
  } else {
    *own = later;
  }
  return conflict;
}

void HoldTracker::release(const Event& event) {
  const auto own = std::find_if(holds_.begin(), holds_.end(), [&](const Hold& hold) {
    return hold.process == event.process && hold.thread == event.thread && hold.mode == event.mode;
  });
  if (own == holds_.end()) {
    return;
  }
  require(own->depth > 0, "a hold that is over is no longer kept");
  if (--own->depth == 0) {
    holds_.erase(own);
  }
}

}  // namespace holdfast
