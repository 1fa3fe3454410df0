#include "harness/scenario/file/load_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "harness/scenario/file/load_error.h"

namespace holdfast {
namespace {

constexpr std::size_t longest_quote = 60;

// Hands out a text and remembers how far its reader has come: the parser's callbacks are told no positions,
// but they are made as soon as their token has been read.
class WatchedIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  WatchedIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  WatchedIterator& operator++() {
    ++at_;
    *furthest_ = at_;
    return *this;
  }
  WatchedIterator operator++(int) {
    const WatchedIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const WatchedIterator& a, const WatchedIterator& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

class TreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(std::string_view text, const std::string& file)
      : start_(text.data()), end_(start_ + text.size()), file_(file), furthest_(start_), counted_(start_) {}

  WatchedIterator begin() { return {start_, &furthest_}; }
  WatchedIterator end() { return {end_, &furthest_}; }
  JsonNode take_root() { return std::move(root_); }

  bool null() override {
    add(JsonNode::Kind::null, 0);
    return true;
  }
  bool boolean(bool value) override {
    add(JsonNode::Kind::boolean, 0).boolean = value;
    return true;
  }
  bool number_integer(std::int64_t value) override {
    add(JsonNode::Kind::integer, 1).integer = value;
    return true;
  }
  bool number_unsigned(std::uint64_t value) override {
    if (value <= static_cast<std::uint64_t>(INT64_MAX)) {
      return number_integer(static_cast<std::int64_t>(value));
    }
    add(JsonNode::Kind::other_number, 1).text = fmt::format("{}", value);
    return true;
  }
  bool number_float(double, const std::string& written) override {
    add(JsonNode::Kind::other_number, 1).text = written;
    return true;
  }
  bool string(std::string& value) override {
    add(JsonNode::Kind::text, 0).text = std::move(value);
    return true;
  }
  bool binary(nlohmann::json::binary_t&) override { return true; }  // JSON has none

  bool start_object(std::size_t) override { return open(JsonNode::Kind::object); }
  bool start_array(std::size_t) override { return open(JsonNode::Kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    JsonNode& object = *open_.back();
    const std::size_t line = line_of_token(0);
    const auto [twin, is_new] = lines_of_keys_.back().try_emplace(name, line);
    if (!is_new) {
      throw ScenarioError(fmt::format("{}:{}: the key {} stands twice, first in line {}; keep one of them",
                                      file_, line, in_quotes(name), twin->second));
    }
    object.keys.push_back(std::move(name));
    object.key_lines.push_back(line);
    return true;
  }

  bool parse_error(std::size_t, const std::string& last_read,
                   const nlohmann::json::exception& error) override {
    const std::string_view read(start_, static_cast<std::size_t>(furthest_ - start_));
    const std::size_t line = line_of_token(0);
    const std::size_t line_start = read.substr(0, read.empty() ? 0 : read.size() - 1).rfind('\n');
    const std::size_t column = read.size() - (line_start == std::string_view::npos ? 0 : line_start + 1);
    throw ScenarioError(fmt::format("{}:{}:{}: {}", file_, line, std::max<std::size_t>(column, 1),
                                    in_our_words(error.what(), last_read)));
  }

 private:
  // The parser says "[json.exception.…] parse error at line 1, column 2: syntax error while parsing value
  // - invalid literal; last read: '…'; expected …". What was last read may be anything, even words of the
  // parser's, so it is left out before anything else.
  static std::string in_our_words(std::string words, const std::string& last_read) {
    const std::string quote = fmt::format("; last read: '{}'", last_read);
    if (const std::size_t quoted = words.find(quote); quoted != std::string::npos) {
      words.erase(quoted, quote.size());
    }
    const auto says = [&](std::string_view text) { return words.find(text) != std::string::npos; };
    if (says("unexpected end of input") || says("missing closing quote")) {
      return "this is not whole JSON: the text ends in the middle of a value; was the file cut off?";
    }
    if (says("UTF-8")) {
      return "this is not JSON: a text has bytes that are not UTF-8; save the file as UTF-8";
    }
    if (says("number overflow")) {
      return "this number is out of range; expected a whole number of at most 64 bits";
    }
    const std::size_t dash = words.find(" - ");
    return "this is not JSON: " + (dash == std::string::npos ? words : words.substr(dash + 3));
  }

  bool open(JsonNode::Kind kind) {
    if (open_.size() == deepest_nesting) {
      throw ScenarioError(fmt::format("{}:{}: values are nested more than {} deep; no scenario needs that",
                                      file_, line_of_token(0), deepest_nesting));
    }
    JsonNode& node = add(kind, 0);
    open_.push_back(&node);
    lines_of_keys_.emplace_back();
    return true;
  }

  bool close() {
    open_.pop_back();
    lines_of_keys_.pop_back();
    return true;
  }

  // The node is where it will stay: its siblings move it only after it was closed.
  JsonNode& add(JsonNode::Kind kind, std::size_t read_ahead) {
    JsonNode& node = open_.empty() ? root_ : open_.back()->items.emplace_back();
    node.kind = kind;
    node.line = line_of_token(read_ahead);
    return node;
  }

  // Where the last token ended. To see the end of a number the parser has to read one character more.
  std::size_t line_of_token(std::size_t read_ahead) {
    const auto behind = static_cast<std::ptrdiff_t>(1 + read_ahead);
    const char* last = furthest_ - start_ > behind ? furthest_ - behind : start_;
    if (last > counted_) {
      line_ += static_cast<std::size_t>(std::count(counted_, last, '\n'));
      counted_ = last;
    }
    return line_;
  }

  const char* start_;
  const char* end_;
  const std::string& file_;
  const char* furthest_;
  const char* counted_;
  std::size_t line_ = 1;
  JsonNode root_;
  std::vector<JsonNode*> open_;
  std::vector<std::unordered_map<std::string, std::size_t>> lines_of_keys_;  // of each that is open
};

}  // namespace

JsonNode parse_json(std::string_view text, const std::string& file) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw ScenarioError(fmt::format("{}: the file is empty; expected a JSON object", file));
  }
  TreeBuilder builder(text, file);
  nlohmann::json::sax_parse(builder.begin(), builder.end(), &builder);
  return builder.take_root();
}

std::string in_quotes(std::string_view text) {
  const bool long_one = text.size() > longest_quote;
  std::string start(text.substr(0, longest_quote));
  while (long_one && !start.empty() && (static_cast<unsigned char>(start.back()) & 0xC0) == 0x80) {
    start.pop_back();  // not in the middle of a character
  }
  if (long_one && !start.empty() && static_cast<unsigned char>(start.back()) >= 0x80) {
    start.pop_back();
  }
  std::string quoted = nlohmann::json(long_one ? start + "…" : start)
                           .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  // JSON lets this one control character stand as it is; a terminal swallows it.
  for (std::size_t at = quoted.find('\x7f'); at != std::string::npos; at = quoted.find('\x7f', at)) {
    quoted.replace(at, 1, "\\u007f");
  }
  return quoted;
}

}  // namespace holdfast
