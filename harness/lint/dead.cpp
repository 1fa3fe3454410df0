#include "harness/lint/dead.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace holdfast::lint {
namespace {

// Called by the language: by co_await, co_return, and what a coroutine begins and ends with; or by
// containers.
bool is_called_by_language(std::string_view name) {
  static constexpr std::array<std::string_view, 10> names = {
      "await_ready",         "await_suspend", "await_resume", "initial_suspend",   "final_suspend",
      "unhandled_exception", "return_value",  "return_void",  "get_return_object", "deallocate"};
  return std::ranges::count(names, name) > 0;
}

bool is_file_of_tests(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.ends_with("_test.cpp") || name.starts_with("test_") || path.starts_with("harness/lint/") ||
         path.starts_with("harness/fuzz/") || path.starts_with("harness/seam/") ||
         path.find("/example/") != std::string_view::npos;
}

// Words that stand before a call, not before the name of what is declared.
bool is_before_call(const Tokens& tokens, std::size_t index) {
  return tokens.is_any(index, {"return", "else", "throw", "co_await", "co_return", "co_yield", "case", "new",
                               "delete", "not", "and", "or", "do", "explicit", "operator", "goto"});
}

// A type stands before the name, maybe with the name's class between them.
bool has_type_before(const Tokens& tokens, std::size_t name) {
  std::size_t before = name;
  while (before >= 2 && tokens.is(before - 1, "::") && tokens.is_word(before - 2)) {
    before -= 2;
  }
  if (before == 0) {
    return false;
  }
  std::size_t last = before - 1;
  while (last > 0 && tokens.is_any(last, {"&", "&&", "*"})) {  // of a type, unless no type stands before it
    --last;
  }
  if (tokens.is_any(last, {">", "]"})) {
    return true;
  }
  return tokens.is_word(last) && !is_before_call(tokens, last);
}

// `name` is followed by its parameters and the end of a declaration, or a body.
bool is_declared_or_defined(const Tokens& tokens, std::size_t name) {
  if (!tokens.is(name + 1, "(") || !has_type_before(tokens, name)) {
    return false;
  }
  std::size_t behind = tokens.behind_bracket(name + 1);
  while (tokens.is_any(behind, {"const", "noexcept", "override", "final", "&", "&&"})) {
    ++behind;
  }
  return tokens.is_any(behind, {";", "{", "=", "->", "requires", ":"});
}

struct Uses {
  bool in_product = false;
  bool in_tests = false;
};

std::map<std::string, Uses, std::less<>> uses_in(std::span<const SourceFile> files) {
  std::map<std::string, Uses, std::less<>> uses;
  for (const SourceFile& file : files) {
    const Tokens tokens(file);
    const bool is_test = is_file_of_tests(file.path);
    for (std::size_t index = 0; index < tokens.size(); ++index) {
      if (tokens.is_word(index) && !is_declared_or_defined(tokens, index)) {
        (is_test ? uses[tokens[index].text].in_tests : uses[tokens[index].text].in_product) = true;
      }
    }
  }
  return uses;
}

}  // namespace

std::vector<DeadFunction> dead_functions(std::span<const SourceFile> files) {
  const auto uses = uses_in(files);
  std::vector<DeadFunction> dead;
  for (const SourceFile& file : files) {
    const bool is_used_by_c = file.path.find("/preload/") != std::string::npos;  // which is not read here
    if (!file.path.ends_with(".h") || is_file_of_tests(file.path) || is_used_by_c) {
      continue;
    }
    const Tokens tokens(file);
    std::set<std::string> seen;
    for (std::size_t index = 0; index < tokens.size(); ++index) {
      if (!tokens.is_word(index) || tokens[index].directive || !is_declared_or_defined(tokens, index)) {
        continue;
      }
      const auto found = uses.find(tokens[index].text);
      const bool is_used = found != uses.end() && found->second.in_product;
      if (!is_used && !is_called_by_language(tokens[index].text) && seen.insert(tokens[index].text).second) {
        dead.push_back({file.path, tokens[index].line, tokens[index].text,
                        found != uses.end() && found->second.in_tests});
      }
    }
  }
  return dead;
}

std::span<const KeptForTests> kept_for_tests() {
  static constexpr std::array all = {
      KeptForTests{"oracle_says_linearizable", "the slow checker that tests hold the fast ones against"},
      KeptForTests{"expect_of_random_histories", "the loop of all random tests of checkers"},
      KeptForTests{"without_time", "makes histories for tests"},
      KeptForTests{"pool_size", "shows that calls are reused instead of growing with a run"},
      KeptForTests{"always_safe", "says of a border that there is none"},
      KeptForTests{"from_text", "reads a history without a file"},
      KeptForTests{"frozen", "shows what a fault did to a clock"},
      KeptForTests{"lost_count", "shows what a cut did to messages on their way"},
      KeptForTests{"set_back_off", "lets a test see that a spinning program is slowed down"},
      KeptForTests{"connection_count", "shows that a client uses one connection for all its calls"},
      KeptForTests{"passages_markdown", "locks/SOURCES.md is compared with it"},
      KeptForTests{"with_checksum", "makes pieces that were edited by hand"},
      KeptForTests{"jump_to", "for servers at rest: a lease passes in one jump"},
      KeptForTests{"come_up", "for servers at rest: their clock creeps while they start"},
      KeptForTests{"step_wall_clock", "for servers at rest: a clock that jumps"},
  };
  return all;
}

}  // namespace holdfast::lint
