#include "harness/check/verdict.h"

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

}  // namespace holdfast
