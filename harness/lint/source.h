// A C++ source file as the linter reads it: lines for what concerns the text, tokens for what
// concerns the code.
//
// The tokens leave out comments and keep a literal only as a marker, so that a rule never trips over
// a word in a sentence or a string. This is a lexer, not a compiler: it knows no types and expands no
// macros, which is enough to find the words that break determinism.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::lint {

enum class TokenKind : std::uint8_t { word, number, literal, punctuation };

struct Token {
  TokenKind kind = TokenKind::punctuation;
  std::string text;  // empty for a literal
  std::size_t line = 0;
  bool directive = false;  // stands in a preprocessor line
};

struct SourceFile {
  std::string path;                // below the top of the repository, with forward slashes
  std::vector<std::string> lines;  // without their line ends
  std::vector<Token> tokens;
  bool ends_with_newline = true;
};

SourceFile parse(std::string path, std::string_view text);

// Small questions about the token at an index; any index may be asked, outside there is nothing.
class Tokens {
 public:
  explicit Tokens(const SourceFile& file) : tokens_(file.tokens) {}

  std::size_t size() const { return tokens_.size(); }
  const Token& operator[](std::size_t index) const { return tokens_[index]; }
  bool is(std::size_t index, std::string_view text) const {
    return index < tokens_.size() && tokens_[index].text == text;
  }
  bool is_word(std::size_t index) const { return is_kind(index, TokenKind::word); }
  bool is_kind(std::size_t index, TokenKind kind) const {
    return index < tokens_.size() && tokens_[index].kind == kind;
  }
  bool is_any(std::size_t index, std::initializer_list<std::string_view> texts) const;
  // The word before `::` before this one: "std" for the thread of std::thread, "" for that of
  // ::thread and for an unqualified one.
  std::string_view qualifier(std::size_t index) const;
  // Called as a function, and not as a member or a function of some other namespace or class.
  bool is_free_call(std::size_t index) const;
  // The index behind the bracket that closes the one at `open`: one of ( [ { <.
  std::size_t behind_bracket(std::size_t open) const;

 private:
  const std::vector<Token>& tokens_;
};

}  // namespace holdfast::lint
