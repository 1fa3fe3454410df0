// A checked history in words: one sentence for what was found, and what it means.
#pragma once

#include <string>
#include <vector>

#include "harness/check/linear/check_history.h"

namespace holdfast::linear {

// One line of the answer.
struct Finding {
  enum class Mark : std::uint8_t { good, bad, unknown, remark };
  Mark mark = Mark::remark;
  std::string about;  // "service"
  std::string sentence;
};

// What was found for a key, the most important first.
std::vector<Finding> findings(const CheckReport& report, const KeyReport& key);

// Of many calls that cannot be explained together, so many are told: the last ones to return.
inline constexpr std::size_t most_calls_told = 10;
std::vector<Call> witness_to_tell(const KeyReport& key);

// A value as the history calls it: "nil", "7", a name.
std::string value_text(const CheckReport& report, const std::optional<std::int64_t>& value);

// "c1 acquire, lines 3 to 7": a call for a person.
std::string call_text(const CheckReport& report, const Call& call);

}  // namespace holdfast::linear
