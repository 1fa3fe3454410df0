#include "harness/scenario/file/load_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "harness/scenario/file/load_duration.h"
#include "harness/scenario/file/load_error.h"
#include "harness/text/suggest.h"

namespace holdfast {
namespace {

constexpr std::size_t longest_text = 4000;
constexpr std::size_t longest_list = 12;  // of words in a sentence

std::string describe(const JsonNode& node) {
  switch (node.kind) {
    case JsonNode::Kind::null:
      return "null";
    case JsonNode::Kind::boolean:
      return node.boolean ? "true" : "false";
    case JsonNode::Kind::integer:
      return fmt::format("{}", node.integer);
    case JsonNode::Kind::other_number:
      return node.text.substr(0, 40);
    case JsonNode::Kind::text:
      return in_quotes(node.text);
    case JsonNode::Kind::array:
      return "a list";
    case JsonNode::Kind::object:
      return "an object";
  }
  return "something else";
}

}  // namespace

void Field::fail_at(std::size_t line, std::string_view problem) const {
  throw ScenarioError(path_.empty() ? fmt::format("{}:{}: {}", *file_, line, problem)
                                    : fmt::format("{}:{}: {}: {}", *file_, line, path_, problem));
}

void Field::expected(std::string_view what) const {
  fail(fmt::format("expected {}, found {}", what, describe(*node_)));
}

bool Field::boolean() const {
  if (!is(JsonNode::Kind::boolean)) {
    expected("true or false");
  }
  return node_->boolean;
}

std::int64_t Field::integer(std::int64_t least, std::int64_t most) const {
  if (!is(JsonNode::Kind::integer) || node_->integer < least || node_->integer > most) {
    expected(fmt::format("a whole number from {} to {}", least, most));
  }
  return node_->integer;
}

std::string Field::text() const {
  if (!is(JsonNode::Kind::text) || node_->text.empty()) {
    expected("a text");
  }
  if (node_->text.size() > longest_text) {
    expected(fmt::format("a text of at most {} bytes", longest_text));
  }
  return node_->text;
}

std::string Field::word(std::string_view what, std::span<const std::string> words) const {
  const bool many = words.size() > longest_list;
  if (!is(JsonNode::Kind::text)) {
    expected(many ? fmt::format("the name of a {}", what) : enumeration(words));
  }
  if (std::find(words.begin(), words.end(), node_->text) == words.end()) {
    const std::string listed = many ? std::string() : fmt::format(", expected {}", enumeration(words));
    fail(fmt::format("there is no {} {}{}{}", what, in_quotes(node_->text), listed,
                     did_you_mean_text(node_->text, words)));
  }
  return node_->text;
}

std::vector<Field> Field::items() const {
  if (!is(JsonNode::Kind::array)) {
    expected("a list");
  }
  std::vector<Field> fields;
  fields.reserve(node_->items.size());
  for (std::size_t index = 0; index < node_->items.size(); ++index) {
    fields.emplace_back(node_->items[index], fmt::format("{}[{}]", path_, index), *file_);
  }
  return fields;
}

ScenarioDuration Field::any_duration() const {
  if (!is(JsonNode::Kind::text)) {
    expected("a duration in quotes, such as \"250ms\" or \"1.5 ttl\"");
  }
  const auto read = duration_from(node_->text);
  if (const auto* problem = std::get_if<std::string>(&read)) {
    fail(
        fmt::format("{} is no duration: {}; expected one such as \"250ms\", \"1.5 ttl\" or \"ttl + 100ms\" "
                    "(units: ns us ms s min h ttl)",
                    in_quotes(node_->text), *problem));
  }
  return std::get<ScenarioDuration>(read);
}

ScenarioDuration Field::signed_duration() const {
  const ScenarioDuration duration = any_duration();
  if (duration.fixed == 0ns && duration.ttl_per_mille == 0) {
    expected("a duration that is not zero");
  }
  return duration;
}

ScenarioDuration Field::duration(std::optional<Duration> ttl) const {
  const ScenarioDuration duration = any_duration();
  const bool negative = ttl ? duration.resolve(*ttl) < 0ns
                            : duration.fixed <= 0ns && duration.ttl_per_mille <= 0 &&
                                  (duration.fixed < 0ns || duration.ttl_per_mille < 0);
  if (negative) {
    expected("a duration that is not negative");
  }
  return duration;
}

ScenarioDuration Field::positive_duration(std::optional<Duration> ttl) const {
  const ScenarioDuration result = duration(ttl);
  if (ttl ? result.resolve(*ttl) == 0ns : result.fixed == 0ns && result.ttl_per_mille == 0) {
    expected("a duration longer than nothing");
  }
  return result;
}

Duration Field::fixed_duration() const {
  const ScenarioDuration result = duration(std::nullopt);
  if (result.ttl_per_mille != 0) {
    expected("a duration without \"ttl\", which does not apply here");
  }
  return result.fixed;
}

Fields::Fields(const Field& object) : object_(object) {
  if (!object.is(JsonNode::Kind::object)) {
    object.fail(fmt::format("expected an object, found {}", describe(object.node())));
  }
}

Fields::Fields(const Field& object, std::span<const std::string> allowed) : Fields(object) {
  allow_only(allowed);
}

std::optional<Field> Fields::find(std::string_view name) const {
  const JsonNode& node = object_.node();
  for (std::size_t index = 0; index < node.keys.size(); ++index) {
    if (node.keys[index] == name) {
      const std::string& path = object_.path();
      return Field(node.items[index], path.empty() ? node.keys[index] : path + '.' + node.keys[index],
                   object_.file());
    }
  }
  return std::nullopt;
}

Field Fields::need(std::string_view name, std::string_view what) const {
  std::optional<Field> field = find(name);
  if (!field) {
    object_.fail(fmt::format("the field \"{}\" is missing; expected {}", name, what));
  }
  return *field;
}

void Fields::allow_only(std::span<const std::string> allowed, std::string_view of) const {
  const JsonNode& node = object_.node();
  for (std::size_t index = 0; index < node.keys.size(); ++index) {
    const std::string& key = node.keys[index];
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) {
      continue;
    }
    const std::string problem =
        of.empty()
            ? fmt::format("there is no field {} here, expected {}", in_quotes(key), enumeration(allowed))
            : fmt::format("{} does not read {}, expected {}", of, in_quotes(key), enumeration(allowed));
    object_.fail_at(node.key_lines[index], problem + did_you_mean_text(key, allowed));
  }
}

}  // namespace holdfast
