#include "harness/stores/redis/model/glob.h"

#include <algorithm>
#include <cstddef>

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

bool star_matches(std::string_view rest_of_pattern, std::string_view text) {
  for (std::size_t skipped = 0; skipped <= text.size(); ++skipped) {
    if (glob_matches(rest_of_pattern, text.substr(skipped))) return true;
  }
  return false;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text) {
  while (!pattern.empty()) {
    const char symbol = pattern.front();
    if (symbol == '*') {
      while (pattern.starts_with('*')) pattern.remove_prefix(1);
      return pattern.empty() || star_matches(pattern, text);
    }
    if (text.empty()) return false;
    pattern.remove_prefix(1);
    if (symbol == '[') {
      if (!class_matches(pattern, text.front())) return false;
    } else if (symbol == '\\' && !pattern.empty()) {
      if (pattern.front() != text.front()) return false;
      pattern.remove_prefix(1);
    } else if (symbol != '?' && symbol != text.front()) {
      return false;
    }
    text.remove_prefix(1);
  }
  return text.empty();
}

}  // namespace holdfast::redis
