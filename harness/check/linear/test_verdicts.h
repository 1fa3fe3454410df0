// For the tests: what the fast checks and the general one say of a history.
#pragma once

#include <memory>
#include <vector>

#include "harness/check/linear/fast.h"
#include "harness/check/linear/general.h"
#include "harness/check/linear/pairs.h"

namespace holdfast::linear {

// The model must have a fast check.
inline FastVerdict fast_verdict(const AnyModel& model, const std::vector<CallEvent>& events,
                                Reading reading = {}) {
  const std::unique_ptr<FastCheck> check = make_fast_check(model, reading);
  for (Position position = 0; position < events.size(); ++position) {
    check->observe(events[position], position);
  }
  check->finish();
  return check->verdict();
}

// Of the first key that is not linearizable, if there is one.
inline Answer general_answer(const AnyModel& model, const std::vector<CallEvent>& events) {
  const auto paired = pair_calls(events, ended_lets_go(model));
  for (const KeyCalls& key : std::get<std::vector<KeyCalls>>(paired)) {
    if (const Answer answer = check_general(model, key.calls, {}).answer; answer != Answer::linearizable) {
      return answer;
    }
  }
  return Answer::linearizable;
}

}  // namespace holdfast::linear
