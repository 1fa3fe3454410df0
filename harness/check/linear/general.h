// Is a history of one key linearizable? Decided by search (search.h), for every model, within limits.
//
// Slower than the checks made for locks, but it knows nothing of locks beyond the model: it decides what they
// cannot, and cross-checks what they can.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/check/linear/models.h"
#include "harness/check/linear/search.h"

namespace holdfast::linear {

enum class Answer : std::uint8_t { linearizable, violated, unknown };
std::string_view to_text(Answer answer);

// Calls are meant by their index in what was checked.
struct GeneralResult {
  Answer answer = Answer::unknown;
  // linearizable: every ok call, and the info calls it took, in an order that explains all answers.
  // Otherwise: the longest explanation of a prefix that was found.
  std::vector<std::uint32_t> order;
  // violated: up to just before this call's return the history is linearizable, with its return it is not.
  // unknown: the first return that was not explained.
  std::uint32_t blocked = 0;
  std::string reason;  // unknown: which limit was met and how far it came, as a sentence

  std::size_t configurations = 0;
  std::size_t memory_bytes = 0;
};

// Calls of actions that the model does not know are not judged. An info call that has a return all the same
// happened before it, or never.
GeneralResult check_general(const AnyModel& model, std::span<const Call> calls, const Limits& limits);

template <SequentialModel Model, class Rules = ExactRules>
GeneralResult check_general(const Model& model, std::span<const Call> calls, const Limits& limits);

// Puts a search's end into words.
GeneralResult judge(SearchResult search, const Limits& limits);

template <SequentialModel Model, class Rules>
GeneralResult check_general(const Model& model, std::span<const Call> calls, const Limits& limits) {
  return judge(Search<Model, Rules>(model, calls, limits).run(), limits);
}

}  // namespace holdfast::linear
