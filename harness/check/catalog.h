// The catalog of checks: what is asked of a run, by what id, and what the answer does to the letter.
//
// One row a check. Scenarios name checks by `id` (or by `name`, which older files do), and the schema has
// both from here. What a row does to the letter is decided here and nowhere else: see Checks::letter.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

enum class CheckId : std::uint8_t {
  mutual_exclusion,
  ownership,
  fencing_tokens,
  resource,
  latch,
  reentrancy,
  progress,
  fairness,
  operation,
  undetected_loss,
};

// What becomes of the letter if the property is violated.
enum class LetterEffect : std::uint8_t {
  holders,  // V, or F where storage checks the tokens that the lock hands out
  harm,     // V: something came of it
  stuck,    // L, D or U: for a while, for ever, or nobody knows
  error,    // E
  claim,    // none: not every lock promises it; where one does, it stands beside the letter
  aside,    // none: a verdict of its own (matrix --loss)
};

struct CheckRow {
  CheckId check{};
  std::string_view id;    // in files: "mutual-exclusion"
  std::string_view name;  // as it is told: "mutual exclusion"
  LetterEffect effect{};
  std::string_view sentence;  // what it asks, and of whom
};

// In the order in which verdicts are told; row n is that of check n.
std::span<const CheckRow> check_catalog();
const CheckRow& row_of(CheckId check);
// By its id or its name; nullptr if there is none.
const CheckRow* find_check(std::string_view id_or_name);
// What a scenario may say: every id.
std::vector<std::string> check_ids();

}  // namespace holdfast
