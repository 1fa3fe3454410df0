// One line of a JSON Lines history, taken apart: every field that a reader needs, in whatever order they
// stand.
//
// Fields that are not known are checked to be JSON and skipped. What the fields mean together is not asked
// here: see jsonl_reader.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/history/call.h"
#include "harness/history/read/json_scanner.h"

namespace holdfast {

enum class LineType : std::uint8_t {
  none,
  invoke,
  ok,
  fail,
  info,
  applied,
  stored,
  rejected,
  fault_begin,
  fault_end,
  died,
  restarted,
  lost_hold,
  end,
};

// The texts are views into the line.
struct JsonlLine {
  LineType type = LineType::none;
  Mode mode = Mode::exclusive;
  bool has_process = false;
  bool has_key = false;
  bool has_format = false;
  bool has_end = false;
  std::uint32_t thread = 0;  // 0: none
  std::optional<Action> action;
  std::optional<bool> refused;
  std::int64_t time = no_time;
  std::optional<std::int64_t> token;
  std::optional<std::int64_t> value;
  std::optional<std::int64_t> expected;
  JsonText process;
  JsonText key;
  JsonText text;
  JsonText format;
  std::string_view version;  // as written: in an event it is the resource's, and a number of any kind
};

// Throws JsonMistake. `scratch` is for texts with escapes.
void take_apart(std::string_view line, JsonlLine& result, std::string& scratch);

}  // namespace holdfast
