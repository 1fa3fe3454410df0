#include "harness/explore/shrunk_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "faults/catalog.h"
#include "harness/scenario/file/load_duration.h"
#include "harness/scenario/file/option_text.h"

namespace holdfast {
namespace {

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

void KeptChoices::open(StreamId, const StreamName& name) {
  std::vector<std::uint64_t> picks;
  for (auto choice = choices_.rbegin(); choice != choices_.rend(); ++choice) {
    if (name == StreamName{choice->stream, choice->first, choice->second}) {
      picks.push_back(choice->picked);
    }
  }
  streams_.push_back(std::move(picks));
}

std::uint64_t KeptChoices::pick(StreamId id, std::uint64_t options) {
  std::vector<std::uint64_t>& left = streams_[static_cast<std::size_t>(id)];
  if (left.empty()) {
    return 0;
  }
  const std::uint64_t picked = left.back();
  left.pop_back();
  return std::min(picked, options - 1);
}

std::string ShrunkFinding::size_text() const {
  return fmt::format("{}, {}, {}{}", plural(scenario.clients.size(), "client"),
                     plural(scenario.faults.size(), "fault"), plural(steps, "step"),
                     is_least ? "" : " (perhaps not the least)");
}

std::string ShrunkFinding::least_text() const {
  std::string text;
  for (const FaultSpec& fault : scenario.faults) {
    text += (text.empty() ? "" : ", then ") + fault.fault + " on " + fault.on;
    for (const Option& option : options_of(fault)) {
      if (option.shrinks && !fault.options.is_usual(option)) {
        text += fmt::format(" {} {}", option.name, value_text(fault.options.value(option)));
      }
    }
    if (fault.lasts) {
      text += " for " + to_text(*fault.lasts);
    }
  }
  return text.empty() ? "no fault at all" : text;
}

}  // namespace holdfast
