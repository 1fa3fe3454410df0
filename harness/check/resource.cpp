#include "harness/check/resource.h"

#include <fmt/format.h>

#include "harness/text/duration_text.h"

namespace holdfast {

void ResourceCheck::reset(const CheckContext& context) {
  stock_ = context.stock;
  writes_ = 0;
  rejected_ = 0;
  hurt_ = false;
  oversold_ = false;
}

void ResourceCheck::on_event(const Event& event, const History& history) {
  if (event.type == EventType::rejected) {
    ++rejected_;
  }
  if (event.type != EventType::stored) {
    return;
  }
  ++writes_;
  const std::size_t index = history.events().size() - 1;
  if (event.version != event.found_version && !hurt_) {
    hurt_ = true;
    event_ = index;
  }
  oversold_ = oversold_ || (stock_ >= 0 && writes_ > static_cast<std::uint64_t>(stock_));
}

Judgement ResourceCheck::judgement() const {
  if (hurt_ || oversold_) {
    return Judgement::violated;
  }
  return writes_ + rejected_ == 0 ? Judgement::not_checked : Judgement::holds;
}

Verdict ResourceCheck::verdict(const History& history) const {
  Verdict verdict{property(), judgement(), {}, {}};
  const std::string refused = rejected_ == 0 ? ""
                                             : fmt::format("; {} stale write{} rejected", rejected_,
                                                           rejected_ == 1 ? " was" : "s were");
  if (hurt_) {
    const Event& event = history.events()[event_];
    verdict.witness = {event_};
    verdict.sentence = fmt::format(
        "at {} storage accepted {}'s write, made from version {} when it was at {}: an update is lost{}",
        seconds_text(event.true_time), history.thread_name(event), event.version, event.found_version,
        refused);
  }
  if (oversold_) {
    verdict.sentence +=
        fmt::format("{}{} sold of {} in stock", verdict.sentence.empty() ? "" : "; ", writes_, stock_);
  }
  if (verdict.judgement == Judgement::holds) {
    verdict.sentence =
        fmt::format("{} write{}, none from a stale read{}", writes_, writes_ == 1 ? "" : "s", refused);
  } else if (verdict.judgement == Judgement::not_checked) {
    verdict.sentence = "nothing was written";
  }
  return verdict;
}

}  // namespace holdfast
