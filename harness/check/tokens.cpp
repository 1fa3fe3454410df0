#include "harness/check/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "harness/text/duration_text.h"

namespace holdfast {
namespace {

// Storage refused it: of reads there is no other event that says so.
bool is_rejection(const Event& event) {
  return event.type == EventType::rejected ||
         (event.type == EventType::fail && event.operation == Operation::read);
}

}  // namespace

void TokenCheck::reset(const CheckContext& context) {
  has_token_ = context.has_token;
  any_ = false;
  greatest_ = std::numeric_limits<std::int64_t>::min();
  greatest_over_ = greatest_;
  faults_ = 0;
  lasting_faults_ = 0;
  tracker_.reset(context);
  pending_.clear();
  owners_.clear();
  seen_.clear();
  fault_ = Fault::none;
}

TokenCheck::Owner* TokenCheck::owner(const Event& event) {
  const auto found = std::ranges::find_if(owners_, [&](const Owner& each) {
    return each.process == event.process && each.thread == event.thread;
  });
  return found == owners_.end() ? nullptr : &*found;
}

void TokenCheck::accuse(Fault fault, std::size_t index, std::int64_t floor) {
  if (fault_ == Fault::none) {
    fault_ = fault;
    event_ = index;
    floor_ = floor;
  }
}

void TokenCheck::on_event(const Event& event, const History& history) {
  if (!has_token_ || fault_ != Fault::none) {
    return;
  }
  const std::size_t index = history.events().size() - 1;
  if (event.type == EventType::fault_begin || event.type == EventType::fault_end) {
    ++faults_;
    lasting_faults_ += event.type == EventType::fault_begin ? event.value : -event.value;
  }
  if (is_rejection(event)) {
    const Owner* const its = owner(event);
    if (its != nullptr && its->is_rightful && owners_.size() == 1) {
      accuse(Fault::locked_out, index, greatest_);
    }
  }
  if (event.operation == Operation::acquire && event.type == EventType::invoke) {
    pending_.push_back({event.session, greatest_, faults_, lasting_faults_ > 0});
  } else if (event.operation == Operation::acquire) {
    const auto at = std::ranges::find(pending_, event.session, &Pending::session);
    if (at != pending_.end()) {
      const Pending pending = *at;
      pending_.erase(at);
      if (event.type == EventType::ok) {
        granted(event, pending, index);
      }
    }
  }
  follow_holds(event, index);
}

void TokenCheck::granted(const Event& event, const Pending& pending, std::size_t index) {
  any_ = true;
  const bool is_clean = !pending.in_a_fault && pending.faults == faults_;
  Owner* const its = owner(event);
  if (its != nullptr && its->token && (!event.token || *event.token == *its->token)) {
    return;  // it entered its own hold again, and keeps its token
  }
  if (!event.token) {
    accuse(Fault::missing, index, 0);
  } else if (!seen_.insert(*event.token).second) {
    accuse(Fault::repeated, index, 0);
  } else if (its != nullptr && its->token && *event.token < *its->token) {
    accuse(Fault::lowered, index, *its->token);
  } else if (*event.token <= pending.floor) {
    accuse(Fault::not_greater, index, pending.floor);
  } else if (is_clean && *event.token <= greatest_over_) {
    accuse(Fault::not_after, index, greatest_over_);
  } else {
    greatest_ = std::max(greatest_, *event.token);
  }
  if (its != nullptr) {
    its->token = event.token;
  } else {
    owners_.push_back({event.process, event.thread, event.token, is_clean});
  }
}

// Whose hold is over no longer owns anything, and whoever had company is not the only holder any more.
void TokenCheck::follow_holds(const Event& event, std::size_t index) {
  if (tracker_.observe(event, index)) {
    for (Owner& each : owners_) {
      each.is_rightful = false;
    }
  }
  std::erase_if(owners_, [&](const Owner& each) {
    const bool holds = std::ranges::any_of(tracker_.holds(), [&](const Hold& hold) {
      return hold.process == each.process && hold.thread == each.thread;
    });
    if (!holds && each.token) {
      greatest_over_ = std::max(greatest_over_, *each.token);
    }
    return !holds;
  });
}

Judgement TokenCheck::judgement() const {
  if (!has_token_ || !any_) {
    return Judgement::not_checked;
  }
  return fault_ == Fault::none ? Judgement::holds : Judgement::violated;
}

Verdict TokenCheck::verdict(const History& history) const {
  Verdict verdict{property(), judgement(), {}, {}};
  if (verdict.judgement == Judgement::not_checked) {
    verdict.sentence = has_token_ ? "no token was handed out" : "the lock has no fencing token";
    return verdict;
  }
  if (fault_ == Fault::none) {
    verdict.sentence = "every token is new and greater than all returned before";
    return verdict;
  }
  const Event& event = history.events()[event_];
  verdict.witness = {event_};
  const std::string when = seconds_text(event.true_time);
  const std::string name = history.thread_name(event);
  const std::string who = fmt::format("at {} {} was granted the lock", when, name);
  switch (fault_) {
    case Fault::missing:
      verdict.sentence = fmt::format("{} without a token", who);
      break;
    case Fault::repeated:
      verdict.sentence = fmt::format("{} with token {}, which had been handed out before", who, *event.token);
      break;
    case Fault::not_after:
      verdict.sentence =
          fmt::format("{} with token {}, after a hold with token {} was over", who, *event.token, floor_);
      break;
    case Fault::lowered:
      verdict.sentence = fmt::format("{} again with token {}, though it had {}", who, *event.token, floor_);
      break;
    case Fault::locked_out:
      verdict.sentence = fmt::format(
          "at {} storage rejected {}, the only holder: token {} had been handed out", when, name, floor_);
      break;
    default:
      verdict.sentence = fmt::format("{} with token {}, though {} had been returned before it asked", who,
                                     *event.token, floor_);
  }
  return verdict;
}

}  // namespace holdfast
