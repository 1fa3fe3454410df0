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

// "c1 acquire, lines 3 to 7": a call for a person.
std::string call_text(const CheckReport& report, const Call& call);

}  // namespace holdfast::linear
