#include "harness/check/latch.h"

#include <fmt/format.h>

#include "harness/text/duration_text.h"

namespace holdfast {

void LatchCheck::reset(const CheckContext& context) {
  count_ = context.latch_count;
  started_ = 0;
  passed_ = false;
  too_early_ = false;
}

void LatchCheck::on_event(const Event& event, const History& history) {
  if (event.operation == Operation::count_down && event.type == EventType::invoke) {
    ++started_;
  }
  if (event.operation != Operation::await_zero || event.type != EventType::ok) {
    return;
  }
  passed_ = true;
  if (started_ < count_ && !too_early_) {
    too_early_ = true;
    event_ = history.events().size() - 1;
    started_then_ = started_;
  }
}

Judgement LatchCheck::judgement() const {
  if (count_ == 0 || !passed_) {
    return Judgement::not_checked;
  }
  return too_early_ ? Judgement::violated : Judgement::holds;
}

Verdict LatchCheck::verdict(const History& history) const {
  Verdict verdict{property(), judgement(), {}, {}};
  if (too_early_) {
    const Event& event = history.events()[event_];
    verdict.witness = {event_};
    verdict.sentence = fmt::format("{} passed at {} after {} of {} count-downs", history.thread_name(event),
                                   seconds_text(event.true_time), started_then_, count_);
  } else {
    verdict.sentence = count_ == 0 ? "not a latch"
                       : passed_   ? "passed only after every count-down"
                                   : "nobody passed";
  }
  return verdict;
}

}  // namespace holdfast
