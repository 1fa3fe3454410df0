// The rule against state outside objects: variables at namespace scope, static ones in classes and
// functions, unless they are constant.
//
// Reads declarations without knowing types: a declarator that meets a `(` is a function, one that
// meets `;`, `=` or `{` is a variable. `static Widget widget(size);` is therefore taken for a
// function; only `static Widget widget(3);` is seen through.
#include <algorithm>
#include <string>
#include <utility>

#include "harness/lint/rules.h"

namespace holdfast::lint {
namespace {

struct Declaration {
  bool variable = false;
  bool constant = false;
  std::string name;
  std::size_t end = 0;  // the ( of a function, the ; = or { of a variable
};

bool is_template_open(const Tokens& tokens, std::size_t index) {
  return tokens.is(index, "<") && index > 0 && tokens.is_word(index - 1);
}

// The token that ends a declaration's first part, stepping over types in between.
std::size_t step_over(const Tokens& tokens, std::size_t index) {
  const bool type_operator = tokens.is_any(index, {"decltype", "alignas"}) && tokens.is(index + 1, "(");
  if (type_operator) {
    return tokens.behind_bracket(index + 1);
  }
  if (is_template_open(tokens, index) || tokens.is(index, "[")) {
    return tokens.behind_bracket(index);
  }
  return index + 1;
}

Declaration read_declaration(const Tokens& tokens, std::size_t start) {
  Declaration result;
  bool always_constant = false;
  bool constant = false;
  std::size_t words = 0;
  std::size_t index = start;
  while (index < tokens.size() && !tokens.is_any(index, {"(", ";", "=", "{", "}", "operator"})) {
    if (tokens.is_any(index, {"constexpr", "consteval"})) {
      always_constant = true;
    } else if (tokens.is(index, "const")) {
      constant = true;
    } else if (tokens.is(index, "*")) {
      constant = false;  // const char* name: what it points to is constant, the pointer is not
    } else if (tokens.is_word(index)) {
      ++words;
      result.name = tokens[index].text;
    }
    index = step_over(tokens, index);
  }
  const bool initialized_with_value =
      tokens.is(index, "(") &&
      (tokens.is_kind(index + 1, TokenKind::number) || tokens.is_kind(index + 1, TokenKind::literal));
  const bool ends_like_variable = tokens.is_any(index, {";", "=", "{"}) || initialized_with_value;
  result.variable = words >= 2 && ends_like_variable;
  result.constant = constant || always_constant;
  result.end = index;
  return result;
}

// Behind the next ; outside of brackets.
std::size_t behind_statement(const Tokens& tokens, std::size_t index) {
  while (index < tokens.size() && !tokens.is(index, ";")) {
    index = tokens.is_any(index, {"(", "[", "{"}) ? tokens.behind_bracket(index) : index + 1;
  }
  return index + 1;
}

// Behind a function's body or its ;, from the ( of its parameters (or its `operator`).
std::size_t behind_function(const Tokens& tokens, std::size_t index) {
  bool in_initializers = false;  // of a constructor: x(1), y{2}, and only then the body
  while (index < tokens.size()) {
    if (tokens.is(index, ";")) {
      return index + 1;
    }
    in_initializers = in_initializers || tokens.is(index, ":");
    const bool initializer = in_initializers && (tokens.is_word(index - 1) || tokens.is(index - 1, ">"));
    if (tokens.is(index, "{") && !initializer) {
      return tokens.behind_bracket(index);
    }
    index = tokens.is_any(index, {"(", "[", "{"}) ? tokens.behind_bracket(index) : index + 1;
  }
  return index;
}

// Walks over what stands at namespace scope, one declaration after the other.
class NamespaceScope {
 public:
  explicit NamespaceScope(const Tokens& tokens) : tokens_(tokens) {}

  Findings run() {
    std::size_t index = 0;
    while (index < tokens_.size()) {
      index = declaration(index);
    }
    return std::move(findings_);
  }

 private:
  // Returns the index of the next one.
  std::size_t declaration(std::size_t index) {
    if (tokens_.is_any(index, {"}", ";", "__extension__"})) {  // the end of a namespace, or of nothing
      return index + 1;
    }
    if (tokens_.is(index, "template") && tokens_.is(index + 1, "<")) {
      return tokens_.behind_bracket(index + 1);
    }
    if (tokens_.is(index, "extern") && tokens_.is_kind(index + 1, TokenKind::literal)) {
      return tokens_.is(index + 2, "{") ? index + 3 : index + 2;
    }
    if (tokens_.is(index, "namespace") ||
        (tokens_.is(index, "inline") && tokens_.is(index + 1, "namespace"))) {
      return behind_namespace_head(index);
    }
    if (tokens_.is_any(index, {"using", "typedef", "static_assert", "concept", "class", "struct", "union",
                               "enum", "static", "extern", "thread_local"})) {
      return behind_keyword(index);
    }
    return variable_or_function(index);
  }

  std::size_t behind_namespace_head(std::size_t index) const {
    while (index < tokens_.size() && !tokens_.is_any(index, {"{", ";"})) {
      ++index;
    }
    return index + 1;
  }

  // static, extern and thread_local are looked at wherever they stand, not here.
  std::size_t behind_keyword(std::size_t index) const {
    if (!tokens_.is_any(index, {"static", "extern", "thread_local"})) {
      return behind_statement(tokens_, index);
    }
    const Declaration read = read_declaration(tokens_, index);
    return read.variable ? behind_statement(tokens_, read.end) : behind_function(tokens_, read.end);
  }

  std::size_t variable_or_function(std::size_t index) {
    const Declaration read = read_declaration(tokens_, index);
    if (!read.variable) {
      return std::max(index + 1, behind_function(tokens_, read.end));
    }
    if (!read.constant) {
      findings_.push_back({tokens_[index].line, read.name + " at namespace scope"});
    }
    return behind_statement(tokens_, read.end);
  }

  const Tokens& tokens_;
  Findings findings_;
};

SourceFile without_directives(const SourceFile& file) {
  SourceFile result = file;
  std::erase_if(result.tokens, [](const Token& token) { return token.directive; });
  return result;
}

}  // namespace

Findings find_mutable_state(const SourceFile& file, const SourceFile&) {
  const SourceFile code = without_directives(file);
  const Tokens tokens(code);
  Findings findings = NamespaceScope(tokens).run();
  for (std::size_t index = 0; index < tokens.size(); ++index) {
    const bool linkage = tokens.is(index, "extern") &&
                         (tokens.is_kind(index + 1, TokenKind::literal) || tokens.is(index + 1, "template"));
    if (!tokens.is_any(index, {"static", "extern"}) || linkage || tokens.is(index + 1, "thread_local")) {
      continue;
    }
    const Declaration read = read_declaration(tokens, index + 1);
    if (read.variable && !read.constant) {
      findings.push_back({tokens[index].line, tokens[index].text + " " + read.name});
    }
  }
  return findings;
}

}  // namespace holdfast::lint
