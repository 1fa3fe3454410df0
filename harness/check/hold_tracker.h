// Who believes to hold the lock, kept up to date event by event.
//
// A hold runs from the ok of the acquire to the start of the release (or the client's death, or the moment
// it learns of the loss). A re-entrant lock counts: the hold ends when every acquire is released. One rule
// for all locks, whatever they claim: who is granted the lock again long before its lease can have ended has
// re-entered it. Once the lease can have ended, a lock that does not claim to be re-entrant has begun a new
// hold: the client, which had to wait for it, knows then that the old one is over.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/check/check.h"

namespace holdfast {

struct Hold {
  ProcessId process{};
  std::uint32_t thread = 0;
  Mode mode = Mode::exclusive;
  std::uint32_t session = 0;
  std::uint32_t depth = 1;
  bool nested = false;    // was ever acquired twice
  std::size_t event = 0;  // index of the acquire's ok
  Duration since{0};
};

// Two (or permits + 1) holds that may not coexist: the one that came, and an earlier one.
struct Conflict {
  Hold earlier;
  Hold later;
};

class HoldTracker {
 public:
  void reset(const CheckContext& context) {
    context_ = context;
    holds_.clear();
  }
  // Takes in the event; answers the conflict that it caused, if any.
  std::optional<Conflict> observe(const Event& event, std::size_t index) {
    return changes_holds(event) ? take_in(event, index) : std::nullopt;
  }

  const std::vector<Hold>& holds() const { return holds_; }
  // Whether the open holds of others (and, for permits, one's own) keep this thread from the lock.
  bool blocks(ProcessId process, std::uint32_t thread, Mode mode) const;

 private:
  static bool changes_holds(const Event& event) {
    switch (event.type) {
      case EventType::ok:
        return event.operation == Operation::acquire;
      case EventType::invoke:
        return event.operation == Operation::release;
      default:
        return event.type == EventType::died || event.type == EventType::lost_hold;
    }
  }
  std::optional<Conflict> take_in(const Event& event, std::size_t index);
  std::optional<Conflict> grant(const Event& event, std::size_t index);
  void release(const Event& event);
  bool is_entered_again(const Hold& own, Duration now) const {
    return context_.reentrant || context_.lease == Duration::zero() || now - own.since < context_.lease / 2;
  }

  CheckContext context_;
  std::vector<Hold> holds_;
};

}  // namespace holdfast
