#include "harness/scenario/option.h"

#include <algorithm>

namespace holdfast {

bool is_duration(OptionKind kind) {
  return kind == OptionKind::duration || kind == OptionKind::positive_duration ||
         kind == OptionKind::signed_duration;
}

OptionValue usual_value(const Option& option) {
  switch (option.kind) {
    case OptionKind::count:
    case OptionKind::thread:
      return option.usual_count;
    case OptionKind::word:
    case OptionKind::processes:
      return std::string(option.usual_word);
    case OptionKind::duration:
    case OptionKind::positive_duration:
    case OptionKind::signed_duration:
      break;
  }
  return option.usual_duration;
}

const OptionValue* OptionValues::find(std::string_view name) const {
  const auto found = std::ranges::find(values_, name, [](const auto& each) { return each.first; });
  return found == values_.end() ? nullptr : &found->second;
}

void OptionValues::set(const Option& option, OptionValue value) {
  std::erase_if(values_, [&](const auto& each) { return each.first == option.name; });
  if (value == usual_value(option)) {
    return;
  }
  const auto place =
      std::ranges::find_if(values_, [&](const auto& each) { return each.first > option.name; });
  values_.emplace(place, option.name, std::move(value));
}

OptionValue OptionValues::value(const Option& option) const {
  const OptionValue* const found = find(option.name);
  return found == nullptr ? usual_value(option) : *found;
}

std::int64_t OptionValues::count(const Option& option) const {
  const OptionValue* const found = find(option.name);
  return found == nullptr ? option.usual_count : std::get<std::int64_t>(*found);
}

std::string OptionValues::word(const Option& option) const {
  const OptionValue* const found = find(option.name);
  return found == nullptr ? std::string(option.usual_word) : std::get<std::string>(*found);
}

ScenarioDuration OptionValues::duration(const Option& option) const {
  const OptionValue* const found = find(option.name);
  return found == nullptr ? option.usual_duration : std::get<ScenarioDuration>(*found);
}

}  // namespace holdfast
