#include "harness/check/checks.h"

#include <algorithm>

namespace holdfast {

void Checks::reset(const CheckContext& context, const std::vector<std::string>& properties,
                   History& history) {
  require(context.permits > 0, "a lock can be held by somebody");
  context_ = context;
  properties_ = &properties;
  for (Check* check : all_) {
    check->reset(context);
    if (check->watches()) {
      history.add_sink(*check);
    }
  }
}

void Checks::finish(Duration true_time, RunEnd end) {
  require(properties_ != nullptr, "a run is judged after it was watched");
  for (Check* check : all_) {
    check->finish(true_time, end);
  }
}

bool Checks::counts(const Check& check) const {
  return properties_->empty() ||
         std::find(properties_->begin(), properties_->end(), check.property()) != properties_->end();
}

Letter Checks::letter(bool storage_checks_tokens) const {
  const bool two_holders = violated(belief_) || violated(reentrancy_);
  const bool fenced = storage_checks_tokens && context_.has_token;
  if (is_harmed() || (two_holders && !fenced)) {
    return Letter::violated;
  }
  if (two_holders) {
    return Letter::fenced;
  }
  if (violated(errors_)) {
    return Letter::always_error;
  }
  if (violated(progress_)) {
    return progress_.progress() == Progress::stuck ? Letter::stuck_for_ever : Letter::stuck_bounded;
  }
  return Letter::safe;
}

bool Checks::shows(Letter letter) const {
  switch (letter) {
    case Letter::violated:
      return is_harmed();
    case Letter::fenced:
      return resource_.rejected() > 0;
    case Letter::not_applicable:
    case Letter::safe:
    case Letter::stuck_bounded:
    case Letter::always_error:
    case Letter::stuck_for_ever:
      return true;
  }
  return true;
}

std::vector<Verdict> Checks::verdicts(const History& history) const {
  std::vector<Verdict> result;
  for (const Check* check : all_) {
    if (counts(*check)) {
      result.push_back(check->verdict(history));
    }
  }
  return result;
}

}  // namespace holdfast
