#include "harness/stores/redis/model/lua_pattern_steps.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <optional>
#include <vector>

namespace holdfast::redis {
namespace {

constexpr std::size_t most_captures = 32;  // LUA_MAXCAPTURES
constexpr std::size_t no_match = static_cast<std::size_t>(-1);

bool is_of_class(unsigned char c, unsigned char name) {
  bool is = false;
  switch (std::tolower(name)) {
    case 'a':
      is = std::isalpha(c) != 0;
      break;
    case 'c':
      is = std::iscntrl(c) != 0;
      break;
    case 'd':
      is = std::isdigit(c) != 0;
      break;
    case 'l':
      is = std::islower(c) != 0;
      break;
    case 'p':
      is = std::ispunct(c) != 0;
      break;
    case 's':
      is = std::isspace(c) != 0;
      break;
    case 'u':
      is = std::isupper(c) != 0;
      break;
    case 'w':
      is = std::isalnum(c) != 0;
      break;
    case 'x':
      is = std::isxdigit(c) != 0;
      break;
    case 'z':
      is = c == 0;
      break;
    default:
      return name == c;
  }
  return std::isupper(name) != 0 ? !is : is;
}

// The matcher of Lua 5.1 (lstrlib.c), position by position, which counts what it does. A mistake in the
// pattern and too many steps both end it; which it was, steps() tells.
class Matcher {
 public:
  Matcher(std::string_view text, std::string_view pattern, std::uint64_t most)
      : text_(text), pattern_(pattern.substr(0, pattern.find('\0'))), most_(most) {}

  // Where a match that begins at `at` ends.
  std::size_t match_at(std::size_t at, std::size_t pattern_at) {
    captures_.clear();
    return match(at, pattern_at);
  }
  bool is_over() const { return is_over_; }
  std::uint64_t steps() const { return steps_; }
  // False: these were too many.
  bool count(std::uint64_t more) {
    steps_ = std::min(most_ + 1, steps_ + std::min(more, most_ + 1));
    is_over_ = is_over_ || steps_ > most_;
    return !is_over_;
  }

 private:
  struct Capture {
    std::size_t begin;
    std::size_t length;
  };
  static constexpr std::size_t unfinished = static_cast<std::size_t>(-1);
  static constexpr std::size_t position = static_cast<std::size_t>(-2);

  std::size_t give_up() {
    is_over_ = true;
    return no_match;
  }
  bool has(std::size_t at) const { return at < pattern_.size(); }
  char letter(std::size_t at) const { return has(at) ? pattern_[at] : '\0'; }

  // Behind the single character, class or set at `at`; nothing: there is none.
  std::optional<std::size_t> end_of_item(std::size_t at) const {
    const char first = pattern_[at++];
    if (first == '%') {
      return has(at) ? std::optional(at + 1) : std::nullopt;
    }
    if (first != '[') {
      return at;
    }
    if (letter(at) == '^') {
      ++at;
    }
    do {
      if (!has(at)) {
        return std::nullopt;
      }
      const bool is_escape = pattern_[at] == '%';
      ++at;
      if (is_escape && has(at)) {
        ++at;
      }
    } while (letter(at) != ']');
    return at + 1;
  }

  bool is_in_set(unsigned char c, std::size_t at, std::size_t last) const {
    bool is_in = true;
    if (letter(at + 1) == '^') {
      is_in = false;
      ++at;
    }
    while (++at < last) {
      if (pattern_[at] == '%') {
        if (is_of_class(c, static_cast<unsigned char>(letter(++at)))) {
          return is_in;
        }
      } else if (letter(at + 1) == '-' && at + 2 < last) {
        at += 2;
        if (static_cast<unsigned char>(pattern_[at - 2]) <= c &&
            c <= static_cast<unsigned char>(pattern_[at])) {
          return is_in;
        }
      } else if (static_cast<unsigned char>(pattern_[at]) == c) {
        return is_in;
      }
    }
    return !is_in;
  }

  bool fits(std::size_t at, std::size_t item, std::size_t item_end) {
    if (!count(item_end - item) || at >= text_.size()) {
      return false;
    }
    const auto c = static_cast<unsigned char>(text_[at]);
    switch (pattern_[item]) {
      case '.':
        return true;
      case '%':
        return is_of_class(c, static_cast<unsigned char>(pattern_[item + 1]));
      case '[':
        return is_in_set(c, item, item_end - 1);
      default:
        return static_cast<unsigned char>(pattern_[item]) == c;
    }
  }

  std::size_t match(std::size_t at, std::size_t item) {
    while (count(1)) {
      if (!has(item)) {
        return at;
      }
      const char first = pattern_[item];
      if (first == '(') {
        const bool is_position = letter(item + 1) == ')';
        return match_capture(at, item + (is_position ? 2 : 1), is_position ? position : unfinished);
      }
      if (first == ')') {
        return match_end_of_capture(at, item + 1);
      }
      if (first == '$' && !has(item + 1)) {
        return at == text_.size() ? at : no_match;
      }
      if (first == '%' && letter(item + 1) == 'b') {
        at = balanced(at, item + 2);
        item += 4;
      } else if (first == '%' && letter(item + 1) == 'f') {
        const std::optional<std::size_t> end = frontier(at, item + 2);
        at = end ? at : no_match;
        item = end.value_or(item);
      } else if (first == '%' && std::isdigit(static_cast<unsigned char>(letter(item + 1))) != 0) {
        at = repeated_capture(at, letter(item + 1));
        item += 2;
      } else {
        const std::optional<std::size_t> end = end_of_item(item);
        if (!end) {
          return give_up();
        }
        switch (letter(*end)) {
          case '?':
            if (fits(at, item, *end)) {
              if (const std::size_t found = match(at + 1, *end + 1); found != no_match || is_over_) {
                return found;
              }
            }
            item = *end + 1;
            continue;
          case '*':
            return most_first(at, item, *end);
          case '+':
            return fits(at, item, *end) ? most_first(at + 1, item, *end) : no_match;
          case '-':
            return fewest_first(at, item, *end);
          default:
            if (!fits(at, item, *end)) {
              return no_match;
            }
            ++at;
            item = *end;
            continue;
        }
      }
      if (at == no_match) {
        return no_match;
      }
    }
    return no_match;
  }

  std::size_t most_first(std::size_t at, std::size_t item, std::size_t item_end) {
    std::size_t times = 0;
    while (fits(at + times, item, item_end)) {
      ++times;
    }
    for (std::size_t left = times + 1; left > 0 && !is_over_; --left) {
      if (const std::size_t found = match(at + left - 1, item_end + 1); found != no_match) {
        return found;
      }
    }
    return no_match;
  }

  std::size_t fewest_first(std::size_t at, std::size_t item, std::size_t item_end) {
    while (!is_over_) {
      if (const std::size_t found = match(at, item_end + 1); found != no_match) {
        return found;
      }
      if (!fits(at, item, item_end)) {
        return no_match;
      }
      ++at;
    }
    return no_match;
  }

  std::size_t match_capture(std::size_t at, std::size_t item, std::size_t length) {
    if (captures_.size() >= most_captures) {
      return give_up();
    }
    captures_.push_back({at, length});
    const std::size_t found = match(at, item);
    if (found == no_match) {
      captures_.pop_back();
    }
    return found;
  }

  std::size_t match_end_of_capture(std::size_t at, std::size_t item) {
    const auto open = std::find_if(captures_.rbegin(), captures_.rend(),
                                   [](const Capture& each) { return each.length == unfinished; });
    if (open == captures_.rend()) {
      return give_up();
    }
    const auto index = static_cast<std::size_t>(captures_.rend() - open) - 1;
    captures_[index].length = at - captures_[index].begin;
    const std::size_t found = match(at, item);
    if (found == no_match) {
      captures_[index].length = unfinished;
    }
    return found;
  }

  // Behind the closing one that belongs to the opening one at `at`.
  std::size_t balanced(std::size_t at, std::size_t pair) {
    if (!has(pair + 1)) {
      return give_up();
    }
    if (at >= text_.size() || text_[at] != pattern_[pair]) {
      return no_match;
    }
    std::size_t open = 1;
    while (++at < text_.size() && count(1)) {
      if (text_[at] == pattern_[pair + 1]) {
        if (--open == 0) {
          return at + 1;
        }
      } else if (text_[at] == pattern_[pair]) {
        ++open;
      }
    }
    return no_match;
  }

  // Behind the set of it, if there is a border of the set at `at`.
  std::optional<std::size_t> frontier(std::size_t at, std::size_t set) {
    const std::optional<std::size_t> end = letter(set) == '[' ? end_of_item(set) : std::nullopt;
    if (!end) {
      give_up();
      return std::nullopt;
    }
    count(*end - set);
    const auto before = static_cast<unsigned char>(at == 0 ? '\0' : text_[at - 1]);
    const auto here = static_cast<unsigned char>(at < text_.size() ? text_[at] : '\0');
    return !is_in_set(before, set, *end - 1) && is_in_set(here, set, *end - 1) ? end : std::nullopt;
  }

  std::size_t repeated_capture(std::size_t at, char digit) {
    const auto index = static_cast<std::size_t>(digit - '1');
    if (digit == '0' || index >= captures_.size() || captures_[index].length == unfinished) {
      return give_up();
    }
    if (captures_[index].length == position) {
      return no_match;
    }
    const std::string_view before = text_.substr(captures_[index].begin, captures_[index].length);
    return count(before.size()) && text_.substr(at).starts_with(before) ? at + before.size() : no_match;
  }

  std::string_view text_;
  std::string_view pattern_;
  std::uint64_t most_;
  std::uint64_t steps_ = 0;
  bool is_over_ = false;
  std::vector<Capture> captures_;
};

}  // namespace

std::uint64_t lua_pattern_steps(std::string_view text, std::string_view pattern, PatternUse use,
                                const PatternLook& look) {
  Matcher matcher(text, pattern, look.most);
  const bool is_anchored = use != PatternUse::all_without_anchor && pattern.starts_with('^');
  std::size_t at = look.begin;
  while (at <= text.size() && !matcher.is_over()) {
    const std::size_t end = matcher.match_at(at, is_anchored ? 1 : 0);
    if (end != no_match) {
      matcher.count(look.steps_per_match);
    }
    if (is_anchored || (end != no_match && use == PatternUse::first_match)) {
      break;
    }
    at = end == no_match || end == at ? at + 1 : end;
  }
  return matcher.steps();
}

}  // namespace holdfast::redis
