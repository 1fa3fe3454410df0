#include "harness/history/read/json_scanner.h"

#include <utility>

#include "harness/history/read/utf8.h"

namespace holdfast {
namespace {

constexpr int deepest_nesting_of_line = 128;

bool is_json_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

std::uint32_t hexadecimal_digits(const char* digits) {
  std::uint32_t value = 0;
  for (int index = 0; index < 4; ++index) {
    const auto byte = static_cast<unsigned char>(digits[index]);
    const std::uint32_t digit = byte <= '9' ? byte - '0' : (byte | 0x20U) - 'a' + 10U;
    value = value * 16 + digit;
  }
  return value;
}

bool is_high_surrogate(std::uint32_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}

bool is_low_surrogate(std::uint32_t unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

char unescaped(char letter) {
  switch (letter) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return letter;
  }
}

}  // namespace

std::string_view JsonText::unescape(std::string& scratch) const {
  scratch.clear();
  const char* at = written.data();
  const char* const end = at + written.size();
  while (at < end) {
    if (*at != '\\') {
      scratch += *at++;
    } else if (at[1] != 'u') {
      scratch += unescaped(at[1]);
      at += 2;
    } else {
      std::uint32_t point = hexadecimal_digits(at + 2);
      at += 6;
      if (is_high_surrogate(point)) {  // the scanner has seen its other half
        point = 0x10000 + ((point - 0xd800) << 10U) + (hexadecimal_digits(at + 2) - 0xdc00);
        at += 6;
      }
      append_utf8(scratch, point);
    }
  }
  return scratch;
}

void JsonScanner::fail(std::string expected) const {
  throw JsonMistake{static_cast<std::size_t>(at_ - begin_), std::move(expected)};
}

JsonText JsonScanner::rest_of_text(const char* start) {
  bool escaped = false;
  while (*at_ != '"') {
    if (*at_ == '\\') {
      escaped = true;
      skip_escape();
    } else if (static_cast<unsigned char>(*at_) >= 0x80) {
      skip_utf8();
    } else {
      fail(at_end() ? "expected the quote that ends a text"
                    : "expected no control character in a text: write it as \\u and four digits");
    }
    at_ = behind_plain_bytes(at_);
  }
  return {{start, static_cast<std::size_t>(at_++ - start)}, escaped};
}

void JsonScanner::skip_escape() {
  ++at_;
  if (*at_ != 'u') {
    if (*at_ == '\0' || std::strchr("\"\\/bfnrt", *at_) == nullptr) {
      fail("expected one of \" \\ / b f n r t u behind a backslash");
    }
    ++at_;
    return;
  }
  const std::uint32_t unit = hexadecimal();
  if (is_low_surrogate(unit)) {
    fail("expected the first half of a surrogate pair before this one");
  }
  if (is_high_surrogate(unit)) {
    const bool another = at_[0] == '\\' && at_[1] == 'u';
    if (!another) {
      fail("expected the second half of a surrogate pair");
    }
    ++at_;
    if (!is_low_surrogate(hexadecimal())) {
      fail("expected the second half of a surrogate pair before this");
    }
  }
}

// From the u to behind its four digits.
std::uint32_t JsonScanner::hexadecimal() {
  ++at_;
  const char* const digits = at_;
  for (int index = 0; index < 4; ++index, ++at_) {
    const char letter = static_cast<char>(*at_ | 0x20);
    if (!is_json_digit(*at_) && !(letter >= 'a' && letter <= 'f')) {
      fail("expected four hexadecimal digits");
    }
  }
  return hexadecimal_digits(digits);
}

void JsonScanner::skip_utf8() {
  const std::size_t length = utf8_length(at_);
  if (length == 0) {
    fail("expected UTF-8");
  }
  at_ += length;
}

std::int64_t JsonScanner::integer() {
  const bool negative = *at_ == '-';
  const char* const digits = at_ + (negative ? 1 : 0);
  const char* at = digits;
  std::uint64_t value = 0;
  for (; is_json_digit(*at); ++at) {
    value = value * 10 + static_cast<std::uint64_t>(*at - '0');
  }
  const std::ptrdiff_t count = at - digits;
  const bool whole = *at != '.' && *at != 'e' && *at != 'E';
  // 19 digits cannot overflow the unsigned; they may be too many for the signed.
  const std::uint64_t limit = (std::uint64_t{1} << 63U) - (negative ? 0U : 1U);
  if (count == 0 || count > 19 || (count > 1 && *digits == '0') || !whole || value > limit) {
    fail("expected a whole number of at most 64 bits");
  }
  at_ = at;
  return static_cast<std::int64_t>(negative ? std::uint64_t{0} - value : value);
}

bool JsonScanner::boolean() {
  if (*at_ == 't') {
    skip_word("true");
    return true;
  }
  if (*at_ != 'f') {
    fail("expected true or false");
  }
  skip_word("false");
  return false;
}

bool JsonScanner::null() {
  if (*at_ != 'n') {
    return false;
  }
  skip_word("null");
  return true;
}

void JsonScanner::skip_word(std::string_view word) {
  for (const char letter : word) {
    if (*at_ != letter) {
      fail("expected a value");
    }
    ++at_;
  }
}

std::string_view JsonScanner::skip_value() {
  const char* const start = at_;
  skip_any(0);
  return {start, static_cast<std::size_t>(at_ - start)};
}

void JsonScanner::skip_any(int depth) {
  switch (*at_) {
    case '"':
      text();
      return;
    case '{':
    case '[':
      if (depth == deepest_nesting_of_line) {
        fail("expected at most 128 levels of nesting");
      }
      skip_members(*at_ == '{' ? '}' : ']', depth + 1);
      return;
    case 't':
    case 'f':
      boolean();
      return;
    case 'n':
      null();
      return;
    default:
      skip_number();
  }
}

void JsonScanner::skip_members(char close, int depth) {
  take(*at_);
  if (*at_ == close) {
    ++at_;
    return;
  }
  while (true) {
    if (close == '}') {
      field_name();
    }
    skip_any(depth);
    if (!take(',')) {
      break;
    }
  }
  if (*at_ != close) {
    fail(close == '}' ? "expected a comma or }" : "expected a comma or ]");
  }
  ++at_;
}

void JsonScanner::skip_number() {
  const auto skip_digits = [this] {
    if (!is_json_digit(*at_)) {
      fail("expected a value");
    }
    while (is_json_digit(*at_)) {
      ++at_;
    }
  };
  at_ += *at_ == '-' ? 1 : 0;
  if (at_[0] == '0' && is_json_digit(at_[1])) {
    fail("expected a number without zeros in front");
  }
  skip_digits();
  if (*at_ == '.') {
    ++at_;
    skip_digits();
  }
  if (*at_ == 'e' || *at_ == 'E') {
    ++at_;
    at_ += *at_ == '+' || *at_ == '-' ? 1 : 0;
    skip_digits();
  }
}

}  // namespace holdfast
