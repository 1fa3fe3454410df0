#include "harness/matrix/cell_limits.h"

#include <fmt/format.h>

#include "faults/injector.h"

namespace holdfast {

std::vector<std::string> limits_of(const Cell& cell, const Scenario& family, SweepDepth depth) {
  std::vector<std::string> limits;
  if (cell.runs == 0) {
    return limits;
  }
  std::uint64_t repetitions = 0;
  std::uint64_t beyond = 0;
  std::string untouched;
  for (const ShapeScope& scope : cell.shapes) {
    repetitions += scope.repetitions;
    beyond += scope.beyond;
    if (scope.runs == 0) {
      untouched += fmt::format("{}{}", untouched.empty() ? "" : ", ", scope.shape);
    }
  }
  if (!family.sweep.empty()) {
    limits.emplace_back(
        "more than one fault in a run, and faults at other times than at a step: see explore");
  }
  limits.emplace_back("other orders of messages than those of the seeds: see explore");
  if (repetitions > 0) {
    limits.push_back(
        fmt::format("{} places of faults that can show nothing new: who waits asks once more, or nobody "
                    "looks at that clock",
                    repetitions));
  }
  if (beyond > 0) {
    limits.push_back(fmt::format("{} steps after the {}th of a process", beyond, most_steps_of_a_process));
  }
  if (cell.is_cut_short) {
    limits.push_back(fmt::format("what is left after the letter could not get worse{}",
                                 untouched.empty() ? "" : ", which is all of " + untouched));
  } else if (depth == SweepDepth::usual && family.seeds > 1 && !family.sweep.empty()) {
    limits.push_back(fmt::format("more than one seed in shapes other than plain ({} there)", family.seeds));
  }
  return limits;
}

}  // namespace holdfast
