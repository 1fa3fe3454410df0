// Walks over one line of JSON, once and from left to right, without building anything.
//
// It takes any valid JSON and nothing else. The line must come from a LineReader: the scanner relies on the
// '\n' behind it as its only bound, and on the bytes behind that being readable.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace holdfast {

// What was expected, and where: the byte's number in its line, from 0.
struct JsonMistake {
  std::size_t byte = 0;
  std::string expected;
};

// What stands between the quotes of a string, as it was written.
struct JsonText {
  std::string_view written;
  bool escaped = false;

  // Without escapes; `scratch` holds the result if there are any.
  std::string_view plain(std::string& scratch) const { return escaped ? unescape(scratch) : written; }

 private:
  std::string_view unescape(std::string& scratch) const;
};

// All functions throw JsonMistake if something else stands there.
class JsonScanner {
 public:
  explicit JsonScanner(std::string_view line) : begin_(line.data()), at_(line.data()) {}

  void skip_blanks() { at_ = behind_blanks(at_); }
  char next() const { return *at_; }
  bool at_end() const { return *at_ == '\n'; }
  // What `later`, a copy that went on, has stepped over since.
  std::string_view between(const JsonScanner& later) const {
    return {at_, static_cast<std::size_t>(later.at_ - at_)};
  }

  // Steps over `wanted` and the blanks around it, if it is next.
  bool take(char wanted) {
    const char* at = at_;
    if (*at != wanted) {
      at = behind_blanks(at);
      if (*at != wanted) {
        at_ = at;
        return false;
      }
    }
    ++at;
    at_ = static_cast<unsigned char>(*at) > ' ' ? at : behind_blanks(at);
    return true;
  }

  JsonText text() {
    if (*at_ != '"') {
      fail("expected a text in quotes");
    }
    const char* const start = at_ + 1;
    const char* const end = behind_plain_bytes(start);
    if (*end != '"') {
      at_ = end;
      return rest_of_text(start);
    }
    at_ = end + 1;
    return {{start, static_cast<std::size_t>(end - start)}, false};
  }

  // The name of a field, and the colon behind it.
  JsonText field_name() {
    const JsonText name = text();
    if (!take(':')) {
      fail("expected a colon behind a field's name");
    }
    return name;
  }

  // A whole number of 64 bits.
  std::int64_t integer();
  // Any value, fast where it is a plain number.
  void skip_unknown() {
    const char* const end = behind_digits(at_);
    const bool plain = end > at_ && (*end == ',' || *end == '}') && (*at_ != '0' || end == at_ + 1);
    if (plain) {
      at_ = end;
    } else {
      skip_value();
    }
  }
  bool boolean();
  // Any value; its bytes.
  std::string_view skip_value();
  // Whether null is next; if so, it is taken.
  bool null();

  [[noreturn]] void fail(std::string expected) const;

 private:
  // These work on pointers of their own and not on at_: through a member, every step would be a store and a
  // load that wait for each other, which doubled the time of a line.
  static const char* behind_blanks(const char* at) {
    while (*at == ' ' || *at == '\t' || *at == '\r') {
      ++at;
    }
    return at;
  }

  // The next byte that needs a look: a quote, a backslash, a control character, part of UTF-8.
  static const char* behind_plain_bytes(const char* at) {
    if constexpr (std::endian::native == std::endian::little) {
      constexpr std::uint64_t ones = 0x0101010101010101U;
      constexpr std::uint64_t highs = ones << 7U;
      while (true) {
        const std::uint64_t word = eight_bytes(at);
        // A byte's high bit is set where the byte is zero after the xor, or less than 32. Borrows can set it
        // in bytes further up too, so only the lowest is to be trusted, and no other is asked for.
        const std::uint64_t quote = word ^ (ones * '"');
        const std::uint64_t backslash = word ^ (ones * '\\');
        const std::uint64_t special = ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) |
                                      ((word - ones * 0x20U) & ~word) | word;
        if ((special & highs) != 0) {
          return at + std::countr_zero(special & highs) / 8;
        }
        at += sizeof word;
      }
    }
    while (is_plain(static_cast<unsigned char>(*at))) {
      ++at;
    }
    return at;
  }

  static const char* behind_digits(const char* at) {
    if constexpr (std::endian::native == std::endian::little) {
      while (true) {
        const std::uint64_t word = eight_bytes(at);
        const std::uint64_t others = not_digits(word);
        if (others != 0) {
          return at + std::countr_zero(others) / 8;
        }
        at += sizeof word;
      }
    }
    while (*at >= '0' && *at <= '9') {
      ++at;
    }
    return at;
  }

  static std::uint64_t eight_bytes(const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word;
  }
  // Nonzero from the lowest byte on that is no digit: one whose high half is not 3, or is not if 6 is added.
  static std::uint64_t not_digits(std::uint64_t word) {
    constexpr std::uint64_t ones = 0x0101010101010101U;
    constexpr std::uint64_t high_halves = ones * 0xf0U;
    return ((word & high_halves) ^ (ones * 0x30U)) | (((word + ones * 6U) & high_halves) ^ (ones * 0x30U));
  }
  static bool is_plain(unsigned char byte) {
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
  }

  JsonText rest_of_text(const char* start);
  void skip_escape();
  std::uint32_t hexadecimal();
  void skip_utf8();
  void skip_number();
  void skip_word(std::string_view word);
  void skip_any(int depth);
  void skip_members(char close, int depth);

  const char* begin_;
  const char* at_;
};

}  // namespace holdfast
