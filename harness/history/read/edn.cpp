#include "harness/history/read/edn.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "harness/history/read/history_error.h"
#include "harness/history/read/quote.h"
#include "harness/history/read/utf8.h"

namespace holdfast {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 16U;
constexpr int deepest_form = 128;
constexpr std::size_t most_parts = 1'000'000;
constexpr std::size_t longest_text_bytes = std::size_t{64} << 20U;

using Kind = EdnValue::Kind;

bool is_blank(int byte) {
  return byte == ' ' || byte == ',' || (byte >= '\t' && byte <= '\r');
}

constexpr std::array<bool, 256> delimiters = [] {
  std::array<bool, 256> result{};
  for (unsigned byte = 0; byte <= ' '; ++byte) {
    result[byte] = true;
  }
  for (const char byte : std::string_view(",\"();[]{}\\^~`@\x7f")) {
    result[static_cast<unsigned char>(byte)] = true;
  }
  return result;
}();

// Ends a number, a word, a keyword.
bool is_delimiter(int byte) {
  return byte == EdnScanner::end || delimiters[static_cast<std::size_t>(byte)];
}

bool is_digit(int byte) {
  return byte >= '0' && byte <= '9';
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

bool starts_number(std::string_view token) {
  const bool sign = token[0] == '+' || token[0] == '-';
  return is_digit(token[0]) || (sign && token.size() > 1 && is_digit(token[1]));
}

// -12.5e+3 and the like, without a sign in front: digits, a fraction, an exponent.
bool is_decimal(std::string_view text) {
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    std::string_view digits = text.substr(exponent + 1);
    digits.remove_prefix(digits.starts_with('+') || digits.starts_with('-') ? 1 : 0);
    if (!all_digits(digits)) {
      return false;
    }
    text = text.substr(0, exponent);
  }
  const std::size_t point = text.find('.');
  const std::string_view fraction = point == std::string_view::npos ? "" : text.substr(point + 1);
  return all_digits(text.substr(0, point)) && (fraction.empty() || all_digits(fraction));
}

bool is_ratio(std::string_view text) {
  const std::size_t slash = text.find('/');
  return slash != std::string_view::npos && all_digits(text.substr(0, slash)) &&
         all_digits(text.substr(slash + 1));
}

}  // namespace

EdnScanner::EdnScanner(Source& source)
    : source_(source), block_(block_bytes), at_(block_.data()), end_(block_.data()) {}

bool EdnScanner::refill() {
  const std::size_t kept = static_cast<std::size_t>(end_ - at_);  // one byte at most
  offset_of_block_ = offset();
  std::memmove(block_.data(), at_, kept);
  const std::size_t count = source_.read(std::span(block_).subspan(kept));
  at_ = block_.data();
  end_ = at_ + kept + count;
  return count > 0;
}

int EdnScanner::peek_second() {
  if (end_ - at_ < 2) {
    refill();
  }
  return end_ - at_ < 2 ? end : static_cast<unsigned char>(at_[1]);
}

void EdnScanner::fail(std::string_view expected) {
  const bool over = peek() == end;
  throw HistoryError(
      fmt::format("{}:{}:{}: {}{}", source_.name(), line(), column(), expected,
                  over ? ", but the file ends here; it was cut, so make or copy it again" : ""));
}

int EdnScanner::next() {
  return next_form(0);
}

int EdnScanner::next_form(int depth) {
  while (true) {
    const int byte = peek();
    if (byte == '\n') {
      ++at_;
      newline();
    } else if (is_blank(byte)) {
      ++at_;
    } else if (byte == ';') {
      skip_line();
    } else if (byte == '#' && peek_second() == '_') {
      at_ += 2;
      form(nullptr, depth + 1);
    } else {
      return byte;
    }
  }
}

void EdnScanner::skip_line() {
  while (peek() != end && *at_ != '\n') {
    ++at_;
  }
}

void EdnScanner::step() {
  ++at_;
}

bool EdnScanner::take_tag(std::string& tag) {
  if (next() != '#' || peek_second() == '{' || peek_second() == '#') {
    return false;
  }
  ++at_;
  token();
  tag = token_;
  return true;
}

void EdnScanner::read(EdnValue& value) {
  parts_ = 0;
  form(&value, 0);
}

void EdnScanner::skip() {
  form(nullptr, 0);
}

void EdnScanner::form(EdnValue* into, int depth) {
  if (depth > deepest_form) {
    fail("expected at most 128 levels of nesting");
  }
  if (into != nullptr) {
    into->tag.clear();
    into->items.clear();
    if (++parts_ > most_parts) {
      fail("expected a value of at most a million parts");
    }
  }
  switch (next_form(depth)) {
    case '(':
      return collection(into, Kind::list, ')', depth);
    case '[':
      return collection(into, Kind::vector, ']', depth);
    case '{':
      return collection(into, Kind::map, '}', depth);
    case '"':
      return text(into);
    case '\\':
      return character(into);
    case '#':
      return dispatch(into, depth);
    case end:
      fail("expected a form");
    default:
      return atom(into);
  }
}

void EdnScanner::collection(EdnValue* into, Kind kind, char close, int depth) {
  ++at_;
  if (into != nullptr) {
    into->kind = kind;
  }
  std::size_t count = 0;
  for (int byte = next_form(depth); byte != close; byte = next_form(depth)) {
    if (byte == end || byte == ')' || byte == ']' || byte == '}') {
      fail(fmt::format("expected a form or {}", close));
    }
    form(into == nullptr ? nullptr : &into->items.emplace_back(), depth + 1);
    ++count;
  }
  if (kind == Kind::map && count % 2 != 0) {
    fail("expected a value for the last key of the map");
  }
  ++at_;
}

// Behind # stands a set, a symbolic value (##Inf) or the tag of the form that follows.
void EdnScanner::dispatch(EdnValue* into, int depth) {
  if (peek_second() == '{') {
    ++at_;
    return collection(into, Kind::set, '}', depth);
  }
  ++at_;
  if (peek() == '#') {
    ++at_;
    token();
    if (into != nullptr) {
      into->kind = Kind::number;
      into->text = "##" + token_;
    }
    return;
  }
  token();
  const std::string tag = token_;
  form(into, depth + 1);
  if (into != nullptr && into->tag.empty()) {
    into->tag = tag;
  }
}

void EdnScanner::text(EdnValue* into) {
  ++at_;
  token_.clear();
  while (peek() != '"') {
    const int byte = peek();
    if (byte == end || token_.size() > longest_text_bytes) {
      fail(byte == end ? "expected the quote that ends a text" : "expected a text of at most 64 MB");
    }
    if (byte == '\\') {
      ++at_;
      escape(token_);
      continue;
    }
    token_ += *at_++;
    if (byte == '\n') {
      newline();
    }
  }
  check_utf8("expected UTF-8 in the text that ends here");
  ++at_;
  if (into != nullptr) {
    into->kind = Kind::text;
    into->text = token_;
  }
}

// Behind a backslash. Halves of surrogate pairs that stand alone become U+FFFD.
void EdnScanner::escape(std::string& result) {
  constexpr std::string_view letters = "trn\\\"bf";
  constexpr std::string_view meanings = "\t\r\n\\\"\b\f";
  const int byte = peek();
  if (byte == 'u') {
    std::uint32_t point = hexadecimal();
    if (point >= 0xd800 && point < 0xdc00 && peek() == '\\' && peek_second() == 'u') {
      ++at_;
      const std::uint32_t low = hexadecimal();
      point = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((point - 0xd800) << 10U) + (low - 0xdc00) : 0xfffd;
    }
    append_utf8(result, point >= 0xd800 && point < 0xe000 ? 0xfffd : point);
    return;
  }
  if (byte >= '0' && byte <= '7') {
    std::uint32_t point = 0;
    for (int digits = 0; digits < 3 && peek() >= '0' && peek() <= '7'; ++digits, ++at_) {
      point = point * 8 + static_cast<std::uint32_t>(*at_ - '0');
    }
    append_utf8(result, point);
    return;
  }
  const std::size_t letter = byte == end ? std::string_view::npos : letters.find(static_cast<char>(byte));
  if (letter == std::string_view::npos) {
    fail("expected one of t r n \\ \" b f u or an octal number behind a backslash");
  }
  result += meanings[letter];
  ++at_;
}

// From the u to behind its four digits.
std::uint32_t EdnScanner::hexadecimal() {
  ++at_;
  std::uint32_t value = 0;
  for (int index = 0; index < 4; ++index, ++at_) {
    const int byte = peek();
    const int letter = byte | 0x20;
    if (!is_digit(byte) && !(letter >= 'a' && letter <= 'f')) {
      fail("expected four hexadecimal digits");
    }
    value = value * 16 + static_cast<std::uint32_t>(is_digit(byte) ? byte - '0' : letter - 'a' + 10);
  }
  return value;
}

void EdnScanner::character(EdnValue* into) {
  ++at_;
  if (peek() <= ' ') {  // the end too
    fail("expected a character behind the backslash");
  }
  const char first = *at_++;
  std::string name(1, first);
  if (!is_delimiter(static_cast<unsigned char>(first))) {
    while (!is_delimiter(peek()) && name.size() <= 16) {
      name += *at_++;
    }
  }
  constexpr std::array<std::string_view, 6> long_names = {"newline", "return",   "space",
                                                          "tab",     "formfeed", "backspace"};
  const bool single = utf8_length(name.c_str()) == name.size();
  const bool coded = name.size() > 1 && (name[0] == 'u' || name[0] == 'o');
  if (!single && !coded && std::ranges::find(long_names, name) == long_names.end()) {
    fail(fmt::format("expected a character before this, not \\{}", printable(name, 20)));
  }
  if (into != nullptr) {
    into->kind = Kind::character;
    into->text = name;
  }
}

void EdnScanner::token() {
  token_.clear();
  while (!is_delimiter(peek())) {
    const char* const start = at_;
    while (at_ < end_ && !is_delimiter(static_cast<unsigned char>(*at_))) {
      ++at_;
    }
    token_.append(start, at_);
    if (token_.size() > longest_text_bytes) {
      fail("expected a word of at most 64 MB");
    }
  }
  if (token_.empty()) {
    fail(peek() != end ? fmt::format("expected a form, not {}", quote(std::string(1, *at_)))
                       : "expected a form");
  }
  check_utf8("expected UTF-8 in the word that ends here");
}

void EdnScanner::check_utf8(std::string_view what) {
  unsigned all_bits = 0;
  for (const char byte : token_) {
    all_bits |= static_cast<unsigned char>(byte);
  }
  for (std::size_t index = all_bits < 0x80 ? token_.size() : 0; index < token_.size();) {
    const std::size_t length = utf8_length(token_.c_str() + index);
    if (length == 0) {
      fail(what);
    }
    index += length;
  }
}

void EdnScanner::atom(EdnValue* into) {
  token();
  if (starts_number(token_)) {
    return number(into);
  }
  const bool keyword = token_[0] == ':';
  if (keyword && (token_.size() == 1 || token_[1] == ':')) {
    fail("expected a name behind the colon before this");
  }
  if (into == nullptr) {
    return;
  }
  if (keyword) {
    into->kind = Kind::keyword;
    into->text.assign(token_, 1);
  } else if (token_ == "nil") {
    into->kind = Kind::nil;
  } else if (token_ == "true" || token_ == "false") {
    into->kind = Kind::boolean;
    into->boolean = token_ == "true";
  } else {
    into->kind = Kind::symbol;
    into->text = token_;
  }
}

void EdnScanner::number(EdnValue* into) {
  std::string_view digits = token_;
  const bool exact = digits.ends_with('N');
  const bool decimal = digits.ends_with('M');
  digits.remove_suffix(exact || decimal ? 1 : 0);
  digits.remove_prefix(digits.starts_with('+') ? 1 : 0);
  const std::string_view unsigned_digits = digits.substr(digits.starts_with('-') ? 1 : 0);
  const bool whole = !decimal && all_digits(unsigned_digits);
  if (!whole && (exact || (!is_decimal(unsigned_digits) && !is_ratio(unsigned_digits)))) {
    fail(fmt::format("expected a number before this, not {}", quote(token_)));
  }
  if (into == nullptr) {
    return;
  }
  const char* const last = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), last, into->integer);
  const bool fits = whole && parsed.ec == std::errc() && parsed.ptr == last;
  into->kind = fits ? Kind::integer : Kind::number;
  into->text = fits ? std::string_view() : digits;
}

}  // namespace holdfast
