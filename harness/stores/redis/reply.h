// A Redis reply (RESP2), the same type whether the model or a real server gave it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::redis {

struct Reply {
  enum class Kind : std::uint8_t { nil, status, error, integer, bulk, array };

  Kind kind = Kind::nil;
  std::int64_t number = 0;      // integer
  std::string text;             // status ("OK"), error ("ERR syntax error"), bulk
  std::vector<Reply> elements;  // array

  Reply() = default;
  Reply(Kind is, std::int64_t value, std::string words, std::vector<Reply> values)
      : kind(is), number(value), text(std::move(words)), elements(std::move(values)) {}
  Reply(const Reply&) = default;
  Reply& operator=(const Reply&) = default;
  // A reply is handed on many times on its way to a lock, and most have neither words nor elements: looking
  // first is a fraction of the work of moving what is not there.
  Reply(Reply&& other) noexcept : kind(other.kind), number(other.number) {
    if (other.has_contents()) {
      take_contents(other);
    }
  }
  Reply& operator=(Reply&& other) noexcept {
    kind = other.kind;
    number = other.number;
    if (has_contents() || other.has_contents()) {
      take_contents(other);
    }
    return *this;
  }
  ~Reply() = default;

  static Reply nil() { return {}; }
  static Reply ok() { return status("OK"); }
  static Reply status(std::string_view word) { return {Kind::status, 0, std::string(word), {}}; }
  static Reply error(std::string message) { return {Kind::error, 0, std::move(message), {}}; }
  static Reply integer(std::int64_t value) { return {Kind::integer, value, {}, {}}; }
  static Reply bulk(std::string value) { return {Kind::bulk, 0, std::move(value), {}}; }
  static Reply array(std::vector<Reply> values) { return {Kind::array, 0, {}, std::move(values)}; }

  bool is_nil() const { return kind == Kind::nil; }
  bool is_ok() const { return kind == Kind::status && text == "OK"; }
  bool is_error() const { return kind == Kind::error; }
  bool is_integer(std::int64_t value) const { return kind == Kind::integer && number == value; }
  bool is_bulk(std::string_view value) const { return kind == Kind::bulk && text == value; }

  friend bool operator==(const Reply&, const Reply&) = default;

 private:
  bool has_contents() const { return !text.empty() || !elements.empty(); }
  // Not inlined, so that the rest is.
  [[gnu::noinline]] void take_contents(Reply& other) noexcept {
    text = std::move(other.text);
    elements = std::move(other.elements);  // last: `other` may be one of them
  }
};

// One line for a person: OK, (nil), 1, "value", [1, "a"], ERR syntax error.
std::string to_text(const Reply& reply);

}  // namespace holdfast::redis
