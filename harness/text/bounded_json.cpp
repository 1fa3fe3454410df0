#include "harness/text/bounded_json.h"

#include <vector>

namespace holdfast {
namespace {

// Behind the string that begins at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    at += text[at] == '\\' ? 1 : 0;
  }
  return at + 1;
}

}  // namespace

bool is_bounded_json(std::string_view text) {
  std::vector<std::size_t> keys_so_far;  // of each value that is open; an array has none
  for (std::size_t at = 0; at < text.size();) {
    const char letter = text[at];
    if (letter == '{' || letter == '[') {
      keys_so_far.push_back(0);
    } else if (keys_so_far.empty()) {
      // Only blanks, or no JSON.
    } else if (letter == '}' || letter == ']') {
      keys_so_far.pop_back();
    } else if (letter == ':') {
      ++keys_so_far.back();
    }
    if (keys_so_far.size() > deepest_json || (!keys_so_far.empty() && keys_so_far.back() > most_json_keys)) {
      return false;
    }
    at = letter == '"' ? end_of_string(text, at) : at + 1;
  }
  return true;
}

}  // namespace holdfast
