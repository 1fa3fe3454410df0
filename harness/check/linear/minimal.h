// The heart of a violation: the few calls that cannot be explained together.
//
// Simply removing calls from a history would mislead: without the write that it saw, every read is wrong, and
// without the release in between, any two grants are. So a call is not removed but *relaxed*: it happened
// between its invocation and its return, with any answer, or never. What is still not linearizable with some
// calls relaxed was not linearizable before. The minimal witness is a set of calls that cannot be explained
// with all others relaxed, while relaxing any one more of them would do. It follows that the set alone, the
// others left out, is not linearizable either.
#pragma once

#include <span>
#include <vector>

#include "harness/check/linear/general.h"

namespace holdfast::linear {

struct MinimalWitness {
  std::vector<std::uint32_t> calls;  // by invocation
  bool is_minimal = true;            // else a limit was met first: some of them may not be needed
};

// `violated` is what check_general answered for the same model and calls. `limits.stop` is for the whole of
// it; single steps have a limit of their own, so that it is quick.
MinimalWitness minimal_witness(const AnyModel& model, std::span<const Call> calls,
                               const GeneralResult& violated, const Limits& limits);

// The call as if nobody knew whether it happened before its return.
Call relaxed(Call call);

}  // namespace holdfast::linear
