// JSON with the line of every value, so that what is wrong with a scenario can be pointed at.
//
// Stricter than JSON: a key may stand only once in an object, and nesting is limited, because the values
// are walked recursively.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

inline constexpr std::size_t deepest_nesting = 16;

struct JsonNode {
  enum class Kind : std::uint8_t { null, boolean, integer, other_number, text, array, object };

  Kind kind = Kind::null;
  std::size_t line = 1;
  bool boolean = false;
  std::int64_t integer = 0;
  std::string text;             // of a text; of a number that is no 64-bit integer, as it was written
  std::vector<JsonNode> items;  // of an array, or the values of an object
  // Of an object, one per item.
  std::vector<std::string> keys;
  std::vector<std::size_t> key_lines;
};

// Throws ScenarioError; `file` is what the sentence calls the text.
JsonNode parse_json(std::string_view text, const std::string& file);

// A text in quotes, for a sentence: escaped, valid UTF-8 and not long, whatever it was.
std::string in_quotes(std::string_view text);

}  // namespace holdfast
