#include "harness/check/linear/minimal.h"

#include <algorithm>

namespace holdfast::linear {
namespace {

// A search asks whether to stop about every thousand steps.
constexpr int questions_a_step_max = 200;

class Relaxing {
 public:
  Relaxing(const AnyModel& model, std::span<const Call> calls, const GeneralResult& violated,
           const Limits& limits)
      : model_(model), limits_(limits) {
    const Position end = calls[violated.blocked].returned;
    for (std::uint32_t index = 0; index < calls.size(); ++index) {
      if (calls[index].invoked >= end || !knows(model, calls[index].action)) {
        continue;
      }
      if (calls[index].outcome == Outcome::ok) {
        kept_.push_back(static_cast<std::uint32_t>(calls_.size()));
      }
      calls_.push_back(calls[index]);
      indexes_.push_back(index);
    }
  }

  MinimalWitness run() {
    for (std::size_t size = std::max<std::size_t>(kept_.size() / 2, 1); size > 0; size /= 2) {
      for (std::size_t first = 0; first < kept_.size();) {
        first += relax(first, std::min(size, kept_.size() - first)) ? 0 : size;
      }
    }
    MinimalWitness witness;
    witness.is_minimal = !limit_met_;
    for (const std::uint32_t each : kept_) {
      witness.calls.push_back(indexes_[each]);
    }
    return witness;
  }

 private:
  // Relaxes these of the kept calls if the rest is still not linearizable.
  bool relax(std::size_t first, std::size_t count) {
    const auto begin = kept_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    std::vector<Call> before;
    for (auto each = begin; each != end; ++each) {
      before.push_back(calls_[*each]);
      calls_[*each] = relaxed(calls_[*each]);
    }
    if (is_violated(count == 1)) {
      kept_.erase(begin, end);
      return true;
    }
    for (std::size_t each = 0; each < count; ++each) {
      calls_[kept_[first + each]] = before[each];
    }
    return false;
  }

  bool is_violated(bool single) {
    int questions = 0;
    Limits step;
    step.memory_bytes = limits_.memory_bytes;
    step.stop = [&] { return ++questions > questions_a_step_max || (limits_.stop && limits_.stop()); };
    const Answer answer = check_general(model_, calls_, step).answer;
    limit_met_ = limit_met_ || (single && answer == Answer::unknown);
    return answer == Answer::violated;
  }

  const AnyModel& model_;
  const Limits& limits_;
  std::vector<Call> calls_;             // up to the return that cannot be explained
  std::vector<std::uint32_t> indexes_;  // of calls_ in the whole
  std::vector<std::uint32_t> kept_;     // in calls_
  bool limit_met_ = false;
};

}  // namespace

Call relaxed(Call call) {
  call.outcome = Outcome::info;
  call.returned = never_returned;
  call.refused = false;
  if (is_acquire(call.action)) {
    call.token.reset();
  }
  return call;
}

MinimalWitness minimal_witness(const AnyModel& model, std::span<const Call> calls,
                               const GeneralResult& violated, const Limits& limits) {
  return Relaxing(model, calls, violated, limits).run();
}

}  // namespace holdfast::linear
