// The plainest possible decision of linearizability, to test the others by: tries every order.
//
// Shares nothing with the search but Model::step. For a handful of calls only: it takes factorial time.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "harness/check/linear/model.h"

namespace holdfast::linear {

template <SequentialModel Model>
class Oracle {
 public:
  Oracle(const Model& model, std::span<const Call> calls) : model_(model) {
    for (const Call& call : calls) {
      if (model.knows(call.action) && call.outcome != Outcome::fail) {
        left_.push_back(call);
      }
    }
  }

  bool is_linearizable() { return can_finish(model_.initial(), 0); }

 private:
  static bool must_happen(const Call& call) { return call.outcome == Outcome::ok; }

  // Nothing that must happen, and is still to come, had returned before this was invoked; and this had not
  // returned when something was invoked that came before.
  bool may_be_next(const Call& call, Position latest_invocation) const {
    if (call.returned < latest_invocation) {
      return false;
    }
    for (const Call& other : left_) {
      if (must_happen(other) && other.returned < call.invoked) {
        return false;
      }
    }
    return true;
  }

  bool can_finish(const typename Model::State& state, Position latest_invocation) {
    bool finished = true;
    for (const Call& call : left_) {
      finished = finished && !must_happen(call);
    }
    for (std::size_t index = 0; index < left_.size() && !finished; ++index) {
      const Call call = left_[index];
      const auto next = may_be_next(call, latest_invocation) ? model_.step(state, call) : std::nullopt;
      if (next) {
        left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(index));
        finished = can_finish(*next, std::max(latest_invocation, call.invoked));
        left_.insert(left_.begin() + static_cast<std::ptrdiff_t>(index), call);
      }
    }
    return finished;
  }

  const Model& model_;
  std::vector<Call> left_;
};

template <SequentialModel Model>
bool oracle_says_linearizable(const Model& model, std::span<const Call> calls) {
  return Oracle<Model>(model, calls).is_linearizable();
}

}  // namespace holdfast::linear
