// An option: something a scenario file may set, told in one row.
//
// What a store's topology has and what a fault reads are rows of this kind. Reading and writing files,
// shrinking, the JSON Schema, `holdfast list` and the documents follow from the row, so a new option is a new
// row and nothing else. Rows are constants with static storage; values refer to them by name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/scenario/duration.h"

namespace holdfast {

enum class OptionKind : std::uint8_t {
  count,              // a whole number from `least` to `most`
  word,               // one of `words`
  duration,           // not negative
  positive_duration,  // greater than zero
  signed_duration,    // either way, but not zero
  processes,          // one of `words`, or the name of a client or server other than the one that is struck
  thread,             // of the client that is struck, from 1; 0: the whole process
};

bool is_duration(OptionKind kind);

struct Option {
  std::string_view name;  // as the file calls it
  OptionKind kind = OptionKind::count;
  std::string_view meaning = {};  // for whoever reads `holdfast list` or the documents
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::string_view what = {};  // what a word of it is called in sentences: "append-only policy"
  std::span<const std::string_view> words = {};
  // What holds unless a file says otherwise.
  std::int64_t usual_count = 0;
  std::string_view usual_word = {};
  ScenarioDuration usual_duration = {};
  // In files without a version it stood in "topology" itself, not in the store's part of it.
  bool stood_in_topology = false;
  bool is_required = false;  // then nothing is usual: the usual value means that it was not said
  // A finding is told with less of it if that does as well: a shorter duration, a smaller count, else the
  // usual.
  bool shrinks = false;
  std::string_view only = {};  // where it says something, if not everywhere: "not at a step of a call"
  bool needs_a_call =
      false;  // of a fault: what is not as usual is refused elsewhere than at a step of a call
  std::string_view why_not_zero = {};  // of a count on both sides of zero: what is said to a 0
};

using OptionValue = std::variant<std::int64_t, std::string, ScenarioDuration>;
OptionValue usual_value(const Option& option);

// What was set, by name of the option; what is not there is as usual. A value that is as usual is not kept,
// so that equal meanings are equal values.
class OptionValues {
 public:
  void set(const Option& option, OptionValue value);
  void clear(const Option& option) { set(option, usual_value(option)); }

  std::int64_t count(const Option& option) const;
  std::string word(const Option& option) const;
  ScenarioDuration duration(const Option& option) const;
  OptionValue value(const Option& option) const;
  bool is_usual(const Option& option) const { return find(option.name) == nullptr; }
  bool empty() const { return values_.empty(); }

  friend bool operator==(const OptionValues&, const OptionValues&) = default;

 private:
  const OptionValue* find(std::string_view name) const;

  std::vector<std::pair<std::string_view, OptionValue>> values_;  // in the order of their names
};

}  // namespace holdfast
