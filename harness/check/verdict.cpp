#include "harness/check/verdict.h"

#include <fmt/format.h>

#include "harness/check/words.h"

namespace holdfast {

std::string_view to_text(Judgement judgement) {
  switch (judgement) {
    case Judgement::holds:
      return "holds";
    case Judgement::violated:
      return "violated";
    case Judgement::not_checked:
      return "not checked";
    case Judgement::unknown:
      return "unknown";
  }
  return "unknown";
}

std::string seconds(Duration duration) {
  const std::int64_t milliseconds = to_milliseconds(duration + 500us);
  return fmt::format("{}.{:03} s", milliseconds / 1000, milliseconds % 1000);
}

}  // namespace holdfast
