#include "harness/scenario/file/option_text.h"

#include <fmt/format.h>

#include <vector>

#include "harness/scenario/file/load_duration.h"
#include "harness/text/suggest.h"

namespace holdfast {

std::string value_text(const OptionValue& value) {
  if (const auto* const duration = std::get_if<ScenarioDuration>(&value)) {
    return to_text(*duration);
  }
  if (const auto* const word = std::get_if<std::string>(&value)) {
    return *word;
  }
  return std::to_string(std::get<std::int64_t>(value));
}

std::string values_text(const Option& option) {
  std::vector<std::string> words(option.words.begin(), option.words.end());
  switch (option.kind) {
    case OptionKind::count:
      return fmt::format("{} to {}{}", option.least, option.most,
                         option.why_not_zero.empty() ? "" : ", not 0");
    case OptionKind::processes:
      words.emplace_back("a process");
      break;
    case OptionKind::word:
      break;
    case OptionKind::thread:
      return "a thread, from 1";
    case OptionKind::duration:
    case OptionKind::positive_duration:
      return "a duration";
    case OptionKind::signed_duration:
      return "a duration, or a negative one";
  }
  return enumeration(words);
}

}  // namespace holdfast
