// EDN, the notation of Clojure's data, form by form from a stream (https://github.com/edn-format/edn).
//
// A form that is skipped takes no memory; one that is kept becomes an EdnValue. Nesting is at most 128
// levels, a kept form has at most a million parts and a text at most 64 MB. Comments and discarded forms (#_)
// vanish. All mistakes are HistoryErrors with file, line and column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/history/read/source.h"

namespace holdfast {

struct EdnValue {
  enum class Kind : std::uint8_t {
    nil,
    boolean,
    integer,  // of 64 bits
    number,   // any other: text is how it was written
    text,
    character,
    keyword,  // text is without the colon
    symbol,
    vector,
    list,
    set,
    map,  // items are key, value, key, value, …
  };

  Kind kind = Kind::nil;
  bool boolean = false;
  std::int64_t integer = 0;
  std::string text;
  std::string tag;  // of a tagged element, without the #; empty: none. Of several the innermost.
  std::vector<EdnValue> items;

  // Makes it nil again, and keeps its memory.
  void clear() {
    kind = Kind::nil;
    tag.clear();
    items.clear();
  }
  bool is(Kind wanted) const { return kind == wanted; }
  bool is_pair() const { return is(Kind::vector) && items.size() == 2; }
  // The value of a keyword in a map; nullptr: there is none.
  const EdnValue* find(std::string_view keyword) const;
};

// The same text for equal values, whatever the order in which a set or a map was written.
std::string to_text(const EdnValue& value);

class EdnScanner {
 public:
  static constexpr int end = -1;

  // `source` must outlive it.
  explicit EdnScanner(Source& source);

  // The first byte of the next form, or of what closes the one around it; `end` behind the last.
  int next();
  // Steps over the byte that next() gave: a bracket.
  void step();
  // If the next form is tagged, steps over the tag. A set and a symbolic value are not tagged.
  bool take_tag(std::string& tag);

  void read(EdnValue& value);
  void skip();

  // Of the byte that comes next, from 1.
  std::uint64_t line() const { return line_; }
  std::uint64_t column() const { return offset() - line_start_ + 1; }
  [[noreturn]] void fail(std::string_view expected);

 private:
  // Every form is read here; into == nullptr: it is skipped.
  void form(EdnValue* into, int depth);
  int next_form(int depth);
  void collection(EdnValue* into, EdnValue::Kind kind, char close, int depth);
  void dispatch(EdnValue* into, int depth);
  void text(EdnValue* into);
  void escape(std::string& result);
  std::uint32_t hexadecimal();
  void character(EdnValue* into);
  void atom(EdnValue* into);
  void number(EdnValue* into);
  void token();
  void skip_line();
  void check_utf8(std::string_view what);

  // The bytes: peek() and peek_second() give `end` at the end.
  int peek() { return at_ < end_ || refill() ? static_cast<unsigned char>(*at_) : end; }
  int peek_second();
  bool refill();
  std::uint64_t offset() const { return offset_of_block_ + static_cast<std::uint64_t>(at_ - block_.data()); }
  void newline() {
    ++line_;
    line_start_ = offset();
  }

  Source& source_;
  std::vector<char> block_;
  const char* at_;
  const char* end_;
  std::uint64_t offset_of_block_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t line_start_ = 0;
  std::string token_;
  std::size_t parts_ = 0;
};

}  // namespace holdfast
