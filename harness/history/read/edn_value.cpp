// What can be asked of a value that was read.
#include <fmt/format.h>

#include <algorithm>

#include "harness/history/read/edn.h"

namespace holdfast {
namespace {

using Kind = EdnValue::Kind;

std::string joined(const std::vector<std::string>& parts) {
  std::string result;
  for (const std::string& part : parts) {
    result += (result.empty() ? "" : " ") + part;
  }
  return result;
}

std::vector<std::string> texts_of(const EdnValue& value) {
  std::vector<std::string> result;
  const std::size_t step = value.is(Kind::map) ? 2 : 1;
  for (std::size_t index = 0; index + step <= value.items.size(); index += step) {
    std::string text = to_text(value.items[index]);
    if (step == 2) {
      text += " " + to_text(value.items[index + 1]);
    }
    result.push_back(std::move(text));
  }
  if (value.is(Kind::map) || value.is(Kind::set)) {
    std::ranges::sort(result);
  }
  return result;
}

std::string untagged(const EdnValue& value) {
  switch (value.kind) {
    case Kind::nil:
      return "nil";
    case Kind::boolean:
      return value.boolean ? "true" : "false";
    case Kind::integer:
      return fmt::format("{}", value.integer);
    case Kind::number:
    case Kind::symbol:
      return value.text;
    case Kind::text:
      return '"' + value.text + '"';
    case Kind::character:
      return '\\' + value.text;
    case Kind::keyword:
      return ':' + value.text;
    case Kind::vector:
      return '[' + joined(texts_of(value)) + ']';
    case Kind::list:
      return '(' + joined(texts_of(value)) + ')';
    case Kind::set:
      return "#{" + joined(texts_of(value)) + '}';
    case Kind::map:
      return '{' + joined(texts_of(value)) + '}';
  }
  return "";
}

}  // namespace

const EdnValue* EdnValue::find(std::string_view keyword) const {
  if (!is(Kind::map)) {
    return nullptr;
  }
  for (std::size_t index = 0; index + 1 < items.size(); index += 2) {
    if (items[index].is(Kind::keyword) && items[index].text == keyword) {
      return &items[index + 1];
    }
  }
  return nullptr;
}

std::string to_text(const EdnValue& value) {
  return (value.tag.empty() ? "" : '#' + value.tag + ' ') + untagged(value);
}

}  // namespace holdfast
