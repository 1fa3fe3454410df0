// Rules about containers whose order is not the program's: unordered ones, and those that order by
// address.
#include <algorithm>
#include <set>
#include <string>

#include "harness/lint/rules.h"

namespace holdfast::lint {
namespace {

using Names = std::set<std::string, std::less<>>;

// std::unordered_map, boost::unordered_flat_set, …, or a `using` name of one.
bool is_unordered_type(const Tokens& tokens, std::size_t index, const Names& aliases) {
  return tokens.is_word(index) && !tokens[index].directive &&
         ((tokens[index].text.starts_with("unordered_") && tokens.is(index + 1, "<")) ||
          aliases.contains(tokens[index].text));
}

// using Index = std::unordered_map<…>; gives Index.
void collect_aliases(const Tokens& tokens, Names& aliases) {
  for (std::size_t index = 0; index + 3 < tokens.size(); ++index) {
    if (!tokens.is(index, "using") || !tokens.is(index + 2, "=")) {
      continue;
    }
    std::size_t type = index + 3;
    while (tokens.is_word(type) && tokens.is(type + 1, "::")) {
      type += 2;
    }
    if (is_unordered_type(tokens, type, aliases)) {
      aliases.insert(tokens[index + 1].text);
    }
  }
}

// The variables, members, parameters and functions that are, refer to or give an unordered container.
void collect_names(const Tokens& tokens, const Names& aliases, Names& names) {
  for (std::size_t index = 0; index < tokens.size(); ++index) {
    if (!is_unordered_type(tokens, index, aliases)) {
      continue;
    }
    std::size_t name = tokens.is(index + 1, "<") ? tokens.behind_bracket(index + 1) : index + 1;
    while (tokens.is_any(name, {"&", "&&", "*", "const"})) {
      ++name;
    }
    while (tokens.is_word(name) && tokens.is(name + 1, "::")) {
      name += 2;
    }
    if (tokens.is_word(name)) {
      names.insert(tokens[name].text);
    }
  }
}

// The container itself and not something reached through it: index, (*index), index(), but not
// index.at(key), index[key] or index.size().
bool ends_with_container(const Tokens& tokens, std::size_t index, const Names& names) {
  if (!tokens.is_word(index) || !names.contains(tokens[index].text)) {
    return false;
  }
  const std::size_t next = tokens.is(index + 1, "(") ? tokens.behind_bracket(index + 1) : index + 1;
  return tokens.is_any(next, {")", "|", ","});
}

// for (… : container), at the index of `for`.
bool iterates_by_range(const Tokens& tokens, std::size_t index, const Names& names) {
  if (!tokens.is(index, "for") || !tokens.is(index + 1, "(")) {
    return false;
  }
  const std::size_t end = tokens.behind_bracket(index + 1);
  std::size_t colon = index + 2;
  while (colon < end && !tokens.is(colon, ":")) {
    if (tokens.is(colon, "?")) {
      return false;
    }
    ++colon;
  }
  for (std::size_t word = colon + 1; word < end; ++word) {
    if (ends_with_container(tokens, word, names)) {
      return true;
    }
  }
  return false;
}

// container.begin(), container->cbegin(), std::begin(container), std::ranges::for_each(container, …).
bool takes_first(const Tokens& tokens, std::size_t index, const Names& names) {
  const auto is_begin = [&](std::size_t at) { return tokens.is_any(at, {"begin", "cbegin"}); };
  const bool named = tokens.is_word(index) && names.contains(tokens[index].text);
  const bool by_member = named && tokens.is_any(index + 1, {".", "->"}) && is_begin(index + 2);
  const bool by_function =
      named && index >= 2 && tokens.is(index - 1, "(") &&
      (is_begin(index - 2) || (tokens.is(index - 2, "for_each") && tokens.is(index + 1, ",")));
  return by_member || by_function;
}

struct Argument {
  std::size_t last_token = 0;
  std::size_t count = 0;
};

// The first template argument of the list that opens at `open`, and how many there are.
Argument first_argument(const Tokens& tokens, std::size_t open) {
  const std::size_t end = tokens.behind_bracket(open) - 1;
  Argument argument{.last_token = end - 1, .count = 1};
  for (std::size_t index = open + 1; index < end;) {
    if (tokens.is(index, ",")) {
      argument.last_token = argument.count == 1 ? index - 1 : argument.last_token;
      ++argument.count;
    }
    index = tokens.is_any(index, {"<", "(", "{", "["}) ? tokens.behind_bracket(index) : index + 1;
  }
  return argument;
}

}  // namespace

Findings find_unordered_iteration(const SourceFile& file, const SourceFile& header) {
  const Tokens tokens(file);
  const Tokens header_tokens(header);
  Names aliases;
  collect_aliases(header_tokens, aliases);
  collect_aliases(tokens, aliases);
  Names names;
  collect_names(header_tokens, aliases, names);
  collect_names(tokens, aliases, names);

  Findings findings;
  for (std::size_t index = 0; index < tokens.size(); ++index) {
    if (iterates_by_range(tokens, index, names)) {
      findings.push_back({tokens[index].line, "for over an unordered container"});
    } else if (takes_first(tokens, index, names)) {
      findings.push_back({tokens[index].line, "begin() of " + tokens[index].text});
    }
  }
  return findings;
}

Findings find_pointer_order(const SourceFile& file, const SourceFile&) {
  const Tokens tokens(file);
  Findings findings;
  for (std::size_t index = 0; index + 1 < tokens.size(); ++index) {
    const bool is_map = tokens.is_any(index, {"map", "multimap", "flat_map"});
    const bool is_set = tokens.is_any(index, {"set", "multiset", "flat_set"});
    const bool is_order = tokens.is_any(index, {"hash", "less", "greater"});
    if ((!is_map && !is_set && !is_order) || tokens.qualifier(index).empty() || !tokens.is(index + 1, "<")) {
      continue;
    }
    const Argument key = first_argument(tokens, index + 1);
    const std::size_t without_comparator = is_map ? 2 : 1;
    const bool pointer = tokens.is(key.last_token, "*") ||
                         (tokens.is(key.last_token, "const") && tokens.is(key.last_token - 1, "*"));
    if (pointer && key.count <= without_comparator) {
      findings.push_back({tokens[index].line, tokens[index].text + " by pointer"});
    }
  }
  return findings;
}

}  // namespace holdfast::lint
