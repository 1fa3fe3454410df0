#include "harness/check/errors.h"

#include <fmt/format.h>

namespace holdfast {

void ErrorCheck::reset(const CheckContext&) {
  acquires_ = {};
  releases_ = {};
}

void ErrorCheck::on_event(const Event& event, const History& history) {
  const bool answer =
      event.type == EventType::ok || event.type == EventType::fail || event.type == EventType::info;
  if (!answer || (event.operation != Operation::acquire && event.operation != Operation::release)) {
    return;
  }
  Tally& tally = event.operation == Operation::acquire ? acquires_ : releases_;
  if (event.type != EventType::info) {
    ++tally.worked;
  }
  if (event.type == EventType::info && event.value == 1) {  // see Worker: 1 marks an error reply
    ++tally.errors;
    tally.event = history.events().size() - 1;
  }
}

Judgement ErrorCheck::judgement() const {
  if (acquires_.always_error() || releases_.always_error()) {
    return Judgement::violated;
  }
  return acquires_.worked + releases_.worked == 0 ? Judgement::not_checked : Judgement::holds;
}

Verdict ErrorCheck::verdict(const History& history) const {
  Verdict verdict{property(), judgement(), "acquire and release work", {}};
  if (verdict.judgement == Judgement::not_checked) {
    verdict.sentence = "nothing was answered";
  }
  if (verdict.judgement == Judgement::violated) {
    const Tally& tally = acquires_.always_error() ? acquires_ : releases_;
    verdict.witness = {tally.event};
    verdict.sentence =
        fmt::format("every {} ended in an error: {}", acquires_.always_error() ? "acquire" : "release",
                    history.text(history.events()[tally.event]));
  }
  return verdict;
}

}  // namespace holdfast
