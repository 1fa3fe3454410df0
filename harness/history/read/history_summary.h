// What a reader can say about a history when it has come to its end.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace holdfast {

enum class HistoryFormat : std::uint8_t {
  automatic,  // by the first bytes of the file
  jsonl,      // holdfast's own: harness/history/README.md
  edn,        // Jepsen's and Knossos's
};

// Values that are no numbers get one, in order of appearance: this one and those that follow.
inline constexpr std::int64_t first_named_value = std::numeric_limits<std::int64_t>::min() / 2;

struct HistorySummary {
  HistoryFormat format = HistoryFormat::jsonl;
  std::uint64_t lines = 0;
  std::uint64_t calls = 0;   // events that on_call() heard of
  std::uint64_t faults = 0;  // events that on_fault() heard of
  std::string header;        // the first line, if it says what the run was; JSON
  bool has_end = false;      // the last line says that the file is whole
  // By number.
  std::vector<std::string> client_names;
  std::vector<std::string> key_names;
  std::vector<std::string> value_names;  // of first_named_value, and so on
};

}  // namespace holdfast
