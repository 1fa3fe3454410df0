// How fast histories are checked: `holdfast bench check`.
//
// Lock histories of growing length (harness/check/linear/long_history.h), valid, violated and with unknown
// outcomes, are checked twice: as JSON Lines, with all that `holdfast check` finds out, and as events that
// are there already, by the fast check alone. Making a history is not part of the time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/linear/general.h"
#include "harness/check/linear/long_history.h"
#include "harness/check/linear/measure.h"

namespace holdfast::cli {

// Polling: with refused attempts and unknown outcomes, for which the fast check refers to a search; it is
// read twice, and what is measured alone is the search in one pass (harness/check/linear/stream_check.h).
enum class HistoryKind : std::uint8_t { valid, violated, unknown, polling };

struct CheckCase {
  std::string_view model;
  std::uint32_t clients = 5;
  HistoryKind kind = HistoryKind::valid;
  std::uint64_t operations = 10'000;

  linear::LongHistoryOptions history() const;
};

struct CheckTime {
  double seconds = 0;         // of the processor
  double peak_memory_mb = 0;  // of the whole process, while it checked
  // Unknown: it needs a search, which is not what is measured here.
  linear::Answer answer = linear::Answer::unknown;
};

// Longer histories do not go through a file, which would take gigabytes.
inline constexpr std::uint64_t longest_file_operations = 1'000'000;

// The best of several rounds, fewer the longer they take. The file is in the temporary directory, and gone
// afterwards.
CheckTime measure_read_and_check(const CheckCase& check_case);
CheckTime measure_check_alone(const CheckCase& check_case);

// The whole report: 10,000 operations, ten times as many, and so on up to `operations_max`.
std::string measure_checks(std::uint64_t operations_max);

}  // namespace holdfast::cli
