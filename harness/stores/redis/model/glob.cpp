#include "harness/stores/redis/model/glob.h"

#include <algorithm>
#include <optional>

namespace holdfast::redis {
namespace {

// Consumes a class, with `pattern` standing just after its '['. Like Redis, a class that is never
// closed ends with the pattern.
bool class_matches(std::string_view& pattern, char letter) {
  const bool negated = pattern.starts_with('^');
  if (negated) pattern.remove_prefix(1);
  bool found = false;
  while (!pattern.empty() && pattern.front() != ']') {
    if (pattern.front() == '\\' && pattern.size() >= 2) {
      found = found || pattern[1] == letter;
      pattern.remove_prefix(2);
    } else if (pattern.size() >= 3 && pattern[1] == '-') {
      const auto [low, high] = std::minmax(pattern[0], pattern[2]);
      found = found || (low <= letter && letter <= high);
      pattern.remove_prefix(3);
    } else {
      found = found || pattern.front() == letter;
      pattern.remove_prefix(1);
    }
  }
  if (!pattern.empty()) pattern.remove_prefix(1);
  return found != negated;
}

// One symbol of the pattern, which is taken off it, against one letter.
bool symbol_matches(std::string_view& pattern, char letter) {
  const char symbol = pattern.front();
  pattern.remove_prefix(1);
  if (symbol == '[') return class_matches(pattern, letter);
  if (symbol == '\\' && !pattern.empty()) {
    const char meant = pattern.front();
    pattern.remove_prefix(1);
    return meant == letter;
  }
  return symbol == '?' || symbol == letter;
}

}  // namespace

// Where it does not match, the last star takes one letter more: what an earlier one took need never be tried
// again, so many stars take no longer than one (as in Redis since 7.0.9).
bool glob_matches(std::string_view pattern, std::string_view text) {
  std::optional<std::string_view> behind_star;
  std::string_view text_at_star;
  for (;;) {
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      if (pattern.empty()) return true;
      behind_star = pattern;
      text_at_star = text;
    } else if (pattern.empty() && text.empty()) {
      return true;
    } else if (!pattern.empty() && !text.empty() && symbol_matches(pattern, text.front())) {
      text.remove_prefix(1);
    } else if (behind_star && !text_at_star.empty()) {
      text_at_star.remove_prefix(1);
      text = text_at_star;
      pattern = *behind_star;
    } else {
      return false;
    }
  }
}

}  // namespace holdfast::redis
