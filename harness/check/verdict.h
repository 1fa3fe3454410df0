// What a check says about a run, and what all the checks together say.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/letter.h"
#include "harness/kernel/kernel.h"

namespace holdfast {

enum class Judgement : std::uint8_t {
  holds,
  violated,
  not_checked,  // the property does not apply to this lock or workload
  unknown,      // the checker gave up (time or memory)
};
std::string_view to_text(Judgement judgement);

struct Verdict {
  std::string_view property;  // "mutual exclusion"
  Judgement judgement = Judgement::not_checked;
  std::string sentence;              // what was found, for a person
  std::vector<std::size_t> witness;  // indices of the events that show it
};

}  // namespace holdfast
