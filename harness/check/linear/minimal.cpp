#include "harness/check/linear/minimal.h"

#include <algorithm>

#include "harness/kernel/require.h"

namespace holdfast::linear {
namespace {

class Relaxing {
 public:
  Relaxing(const AnyModel& model, std::span<const Call> calls, const GeneralResult& violated,
           const Limits& limits)
      : model_(model), limits_(limits) {
    require(violated.answer == Answer::violated && violated.blocked < calls.size(),
            "only what cannot be explained has a witness");
    const Position end = calls[violated.blocked].returned;
    Position last = end;  // of the calls that are open at the end: what is invoked later cannot matter
    for (const Call& call : calls) {
      last = call.outcome == Outcome::ok && call.invoked < end ? std::max(last, call.returned) : last;
    }
    for (std::uint32_t index = 0; index < calls.size(); ++index) {
      const Call& call = calls[index];
      if (call.invoked > last || !knows(model, call.action)) {
        continue;
      }
      const bool keep = call.outcome == Outcome::ok && call.invoked < end;
      if (keep) {
        kept_.push_back(static_cast<std::uint32_t>(calls_.size()));
      }
      calls_.push_back(keep ? call : relaxed(call));
      indexes_.push_back(index);
    }
    questions_max_ = 200 + calls_.size() / 16;
  }

  MinimalWitness run() {
    for (std::size_t size = std::max<std::size_t>(kept_.size() / 2, 1); size > 0; size /= 2) {
      for (std::size_t first = 0; first < kept_.size();) {
        if (limits_.stop && limits_.stop()) {
          limit_met_ = true;
          size = 1;
          break;
        }
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
    std::size_t questions = 0;
    Limits step;
    step.memory_bytes = limits_.memory_bytes;
    step.stop = [&] { return ++questions > questions_max_ || (limits_.stop && limits_.stop()); };
    const Answer answer = check_general(model_, calls_, step).answer;
    limit_met_ = limit_met_ || (single && answer == Answer::unknown);
    return answer == Answer::violated;
  }

  const AnyModel& model_;
  const Limits& limits_;
  std::vector<Call> calls_;
  std::vector<std::uint32_t> indexes_;  // of calls_ in the whole
  std::vector<std::uint32_t> kept_;     // in calls_
  bool limit_met_ = false;
  std::size_t questions_max_ = 0;  // of one search, which asks about every thousand steps
};

}  // namespace

Call relaxed(Call call) {
  call.outcome = Outcome::info;
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
