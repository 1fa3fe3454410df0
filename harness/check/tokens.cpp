#include "harness/check/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "harness/text/duration_text.h"

namespace holdfast {

void TokenCheck::reset(const CheckContext& context) {
  has_token_ = context.has_token;
  any_ = false;
  greatest_ = std::numeric_limits<std::int64_t>::min();
  pending_.clear();
  seen_.clear();
  fault_ = Fault::none;
}

void TokenCheck::on_event(const Event& event, const History& history) {
  if (!has_token_ || event.operation != Operation::acquire || fault_ != Fault::none) {
    return;
  }
  if (event.type == EventType::invoke) {
    pending_.push_back({event.session, greatest_});
    return;
  }
  const auto at = std::find_if(pending_.begin(), pending_.end(),
                               [&](const Pending& each) { return each.session == event.session; });
  if (at == pending_.end()) {
    return;
  }
  const std::int64_t floor = at->floor;
  pending_.erase(at);
  if (event.type != EventType::ok) {
    return;
  }
  any_ = true;
  event_ = history.events().size() - 1;
  floor_ = floor;
  if (!event.token) {
    fault_ = Fault::missing;
  } else if (!seen_.insert(*event.token).second) {
    fault_ = Fault::repeated;
  } else if (*event.token <= floor) {
    fault_ = Fault::not_greater;
  } else {
    greatest_ = std::max(greatest_, *event.token);
  }
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
  const std::string who =
      fmt::format("at {} {} was granted the lock", seconds_text(event.true_time), history.thread_name(event));
  switch (fault_) {
    case Fault::missing:
      verdict.sentence = fmt::format("{} without a token", who);
      break;
    case Fault::repeated:
      verdict.sentence = fmt::format("{} with token {}, which had been handed out before", who, *event.token);
      break;
    default:
      verdict.sentence = fmt::format("{} with token {}, though {} had been returned before it asked", who,
                                     *event.token, floor_);
  }
  return verdict;
}

}  // namespace holdfast
