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
  return properties_->empty() || std::ranges::any_of(*properties_, [&](const std::string& property) {
           return find_check(property) == &row_of(check.id());
         });
}

bool Checks::is_violated(LetterEffect effect) const {
  return std::ranges::any_of(
      all_, [&](const Check* check) { return row_of(check->id()).effect == effect && violated(*check); });
}

bool Checks::has_checked() const {
  return std::ranges::any_of(all_, [&](const Check* check) {
    const LetterEffect effect = row_of(check->id()).effect;
    const bool makes_letter = effect != LetterEffect::claim && effect != LetterEffect::aside;
    return makes_letter && counts(*check) && check->judgement() != Judgement::not_checked;
  });
}

// The one place where checks make a letter; what each row of the catalog does is asked for from the worst on.
Letter Checks::letter(bool storage_checks_tokens) const {
  const bool two_holders = is_violated(LetterEffect::holders);
  const bool fenced = storage_checks_tokens && context_.has_token;
  if (is_harmed() || (two_holders && !fenced)) {
    return Letter::violated;
  }
  if (two_holders) {
    return Letter::fenced;
  }
  if (is_violated(LetterEffect::error)) {
    return Letter::always_error;
  }
  if (counts(progress_)) {
    switch (progress_.progress()) {
      case Progress::stuck:
        return Letter::stuck_for_ever;
      case Progress::undecided:
        return Letter::undecided;
      case Progress::bounded:
        return Letter::stuck_bounded;
      case Progress::at_once:
        break;
    }
  }
  return has_checked() ? Letter::safe : Letter::undecided;
}

bool Checks::waits_for_progress(bool storage_checks_tokens) const {
  return counts(progress_) && letter(storage_checks_tokens) < Letter::always_error;
}

std::vector<std::string_view> Checks::broken_claims() const {
  std::vector<std::string_view> names;
  for (const Check* check : all_) {
    if (row_of(check->id()).effect == LetterEffect::claim && violated(*check)) {
      names.push_back(check->property());
    }
  }
  return names;
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
    case Letter::undecided:
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
