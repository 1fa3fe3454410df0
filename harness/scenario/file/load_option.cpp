#include "harness/scenario/file/load_option.h"

#include <string>
#include <vector>

#include "harness/kernel/require.h"

namespace holdfast {

OptionValue read_option(const Field& field, const Option& option, std::optional<Duration> ttl) {
  switch (option.kind) {
    case OptionKind::count: {
      const std::int64_t count = field.integer(option.least, option.most);
      if (count == 0 && !option.why_not_zero.empty()) {
        field.fail(option.why_not_zero);
      }
      return count;
    }
    case OptionKind::word:
      return field.word(option.what, std::vector<std::string>(option.words.begin(), option.words.end()));
    case OptionKind::duration:
      return field.duration(ttl);
    case OptionKind::positive_duration:
      return field.positive_duration(ttl);
    case OptionKind::signed_duration:
      return field.signed_duration();
    case OptionKind::processes:
    case OptionKind::thread:
      break;
  }
  require(false, "only a fault has rows that are about the process that it strikes");
  return {};
}

}  // namespace holdfast
