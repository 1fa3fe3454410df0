#include "harness/cli/terminal/glob.h"

#include <algorithm>
#include <cstddef>

#include "harness/text/bad_input.h"

namespace holdfast::cli {

// Walks both texts at once; on a mismatch the last * takes one more character. Needs no recursion, so a
// pattern of many stars costs no more than its length times the text's.
bool fits_glob(std::string_view text, std::string_view pattern) {
  std::size_t at = 0;
  std::size_t in_pattern = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_at = 0;
  while (at < text.size()) {
    const bool more = in_pattern < pattern.size();
    if (more && pattern[in_pattern] == '*') {
      star = in_pattern++;
      star_at = at;
    } else if (more && (pattern[in_pattern] == '?' || pattern[in_pattern] == text[at])) {
      ++at;
      ++in_pattern;
    } else if (star != std::string_view::npos) {
      in_pattern = star + 1;
      at = ++star_at;
    } else {
      return false;
    }
  }
  while (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
    ++in_pattern;
  }
  return in_pattern == pattern.size();
}

bool fits_any(std::string_view text, const std::vector<std::string>& patterns) {
  return patterns.empty() ||
         std::ranges::any_of(patterns, [&](const std::string& pattern) { return fits_glob(text, pattern); });
}

void check_patterns(std::string_view what, const std::vector<std::string>& patterns,
                    const std::vector<std::string>& known, std::string_view where_listed) {
  for (const std::string& pattern : patterns) {
    if (std::ranges::none_of(known, [&](const std::string& word) { return fits_glob(word, pattern); })) {
      throw unknown_word(what, pattern, known, where_listed);
    }
  }
}

}  // namespace holdfast::cli
