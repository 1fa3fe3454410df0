#include "harness/lint/source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace holdfast::lint {
namespace {

bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool continues_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (position_ < text_.size()) {
      step();
    }
    return std::move(tokens_);
  }

 private:
  void step() {
    const char c = text_[position_];
    if (c == '\n') {
      const bool continued = position_ > 0 && text_[position_ - 1] == '\\';
      directive_ = directive_ && continued;
      at_line_start_ = true;
      skip(1);
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\\') {
      skip(1);
    } else if (ahead("//")) {
      skip(std::min(text_.find('\n', position_), text_.size()) - position_);
    } else if (ahead("/*")) {
      skip_past("*/", 2);
    } else {
      directive_ = directive_ || (c == '#' && at_line_start_);
      at_line_start_ = false;
      take_token(c);
    }
  }

  void take_token(char c) {
    if (c == '"' || c == '\'') {
      take_literal();
    } else if (starts_word(c)) {
      take_word();
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      take_number();
    } else {
      take_punctuation();
    }
  }

  void take_word() {
    std::size_t end = position_;
    while (end < text_.size() && continues_word(text_[end])) {
      ++end;
    }
    const std::string_view word = text_.substr(position_, end - position_);
    const bool prefixes_literal = end < text_.size() && (text_[end] == '"' || text_[end] == '\'');
    if (prefixes_literal && (word == "u8" || word == "u" || word == "U" || word == "L")) {
      skip(word.size());
      take_literal();
    } else if (prefixes_literal && word.back() == 'R' && word.size() <= 3) {
      take_raw_string(word.size());
    } else {
      push(TokenKind::word, word.size());
    }
  }

  void take_number() {
    std::size_t end = position_;
    while (end < text_.size() && (continues_word(text_[end]) || text_[end] == '.' || text_[end] == '\'')) {
      ++end;
    }
    push(TokenKind::number, end - position_);
  }

  void take_literal() {
    const char quote = text_[position_];
    std::size_t end = position_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2 : 1;
    }
    push_literal(std::min(end + 1, text_.size()));
  }

  void take_raw_string(std::size_t prefix_size) {
    const std::size_t delimiter = position_ + prefix_size + 1;
    const std::size_t open = std::min(text_.find('(', delimiter), text_.size());
    const std::string close = ")" + std::string(text_.substr(delimiter, open - delimiter)) + "\"";
    const std::size_t end = text_.find(close, open);
    push_literal(end == std::string_view::npos ? text_.size() : end + close.size());
  }

  void take_punctuation() {
    static constexpr std::array<std::string_view, 9> longer = {
        "<=>", "::", "->", "==", "!=", "<=", ">=", "&&", "||"};
    const auto* const match = std::ranges::find_if(longer, [this](auto text) { return ahead(text); });
    push(TokenKind::punctuation, match == longer.end() ? 1 : match->size());
  }

  bool ahead(std::string_view text) const { return text_.substr(position_).starts_with(text); }

  void push(TokenKind kind, std::size_t size) {
    tokens_.push_back({kind, std::string(text_.substr(position_, size)), line_, directive_});
    skip(size);
  }

  void push_literal(std::size_t end) {
    tokens_.push_back({TokenKind::literal, "", line_, directive_});
    skip(end - position_);
  }

  void skip_past(std::string_view text, std::size_t from) {
    const std::size_t found = text_.find(text, position_ + from);
    skip((found == std::string_view::npos ? text_.size() : found + text.size()) - position_);
  }

  void skip(std::size_t size) {
    const std::string_view skipped = text_.substr(position_, size);
    line_ += static_cast<std::size_t>(std::ranges::count(skipped, '\n'));
    position_ += skipped.size();
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  bool directive_ = false;
  bool at_line_start_ = true;
};

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

SourceFile parse(std::string path, std::string_view text) {
  return {.path = std::move(path),
          .lines = split_lines(text),
          .tokens = Lexer(text).run(),
          .ends_with_newline = text.empty() || text.back() == '\n'};
}

bool Tokens::is_any(std::size_t index, std::initializer_list<std::string_view> texts) const {
  return index < tokens_.size() && std::ranges::find(texts, tokens_[index].text) != texts.end();
}

std::string_view Tokens::qualifier(std::size_t index) const {
  const bool qualified = index >= 2 && is(index - 1, "::") && is_word(index - 2);
  return qualified ? std::string_view(tokens_[index - 2].text) : std::string_view();
}

bool Tokens::is_free_call(std::size_t index) const {
  const std::string_view space = qualifier(index);
  const bool member = index > 0 && is_any(index - 1, {".", "->"});
  return is(index + 1, "(") && !member && (space.empty() || space == "std");
}

std::size_t Tokens::behind_bracket(std::size_t open) const {
  const bool angle = tokens_[open].text == "<";
  std::size_t index = open + 1;
  while (index < tokens_.size()) {
    if (angle ? is(index, ">") : is_any(index, {")", "]", "}"})) {
      return index + 1;
    }
    if (angle && is_any(index, {";", ")", "]", "}"})) {
      return index;  // it was a comparison
    }
    const bool opens = is_any(index, {"(", "[", "{"}) || (angle && is(index, "<"));
    index = opens ? behind_bracket(index) : index + 1;
  }
  return index;
}

}  // namespace holdfast::lint
