#include "harness/scenario/file/load_option.h"

#include <string>
#include <vector>

namespace holdfast {

OptionValue read_option(const Field& field, const Option& option, std::optional<Duration> ttl) {
  switch (option.kind) {
    case OptionKind::count:
      return field.integer(option.least, option.most);
    case OptionKind::word:
      return field.word(option.what, std::vector<std::string>(option.words.begin(), option.words.end()));
    case OptionKind::duration:
      return field.duration(ttl);
    case OptionKind::positive_duration:
      return field.positive_duration(ttl);
    case OptionKind::signed_duration:
      break;
  }
  return field.signed_duration();
}

}  // namespace holdfast
