#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/explore/envelope.h"
#include "harness/text/duration_text.h"

namespace holdfast {
namespace {

std::string amount(std::int64_t value, const Quantity& quantity) {
  if (quantity.unit == "ppm") {
    return fmt::format("{:.1f} %", static_cast<double>(value) / 10'000);
  }
  return seconds_text(std::chrono::milliseconds(value));
}

std::string up_to(std::int64_t value, const Border& border) {
  if (value < 0) {
    return "not at all";
  }
  return fmt::format("up to {}{}", amount(value, *border.quantity),
                     value == border.searched_up_to ? " and more" : "");
}

// `work_ms`: how long the lock is held meanwhile.
std::string cause(const Quantity& quantity, std::int64_t work_ms) {
  const std::string work = fmt::format("under {:g} s of work", static_cast<double>(work_ms) / 1000);
  return quantity.name == "pause"     ? "a pause of the holder at the worst moment"
         : quantity.name == "jump"    ? "a jump ahead of a server's clock " + work
         : quantity.name == "drift"   ? "a server's clock that runs fast " + work
         : quantity.name == "latency" ? "messages that take long, " + work
                                      : "work under the lock";
}

// `promised`: what the design does, of a pause; -1 if nothing.
std::string border_text(const Border& border, std::int64_t work_ms, std::int64_t promised) {
  std::vector<std::string> notes;
  if (promised >= 0) {
    notes.push_back(fmt::format("its design promises {}{}", amount(promised, *border.quantity),
                                promised > border.holds_up_to ? " and does not keep it" : ""));
  }
  if (border.safe_up_to != border.holds_up_to) {
    notes.push_back(fmt::format("the resource is safe {}", up_to(border.safe_up_to, border)));
  }
  if (border.works_up_to < std::min(border.holds_up_to, border.safe_up_to)) {
    notes.push_back(fmt::format("it can be had only {}", up_to(border.works_up_to, border)));
  }
  return fmt::format("{}: {}{}", cause(*border.quantity, work_ms), up_to(border.holds_up_to, border),
                     notes.empty() ? "" : fmt::format(" ({})", fmt::join(notes, "; ")));
}

}  // namespace

std::string certificate(Simulation& simulation, const LockEntry& lock, std::optional<Duration> lease) {
  const bool has_lease = lock.ttl > Duration::zero();
  EnvelopeSetting setting(lock);
  if (lease) {
    setting["ttl"] = to_milliseconds(*lease);
  }
  const std::int64_t ttl_ms = setting["ttl"];
  EnvelopeStory story(simulation, lock);
  std::string text{lock.id};
  if (has_lease) {
    text += fmt::format(" with a lease of {} s", static_cast<double>(ttl_ms) / 1000);
  } else {
    text += ", which knows no lease,";
  }
  if (story.with_majority_only()) {
    text += " and no more than a majority of its servers";
  }
  text += " keeps its holder alone through";
  std::uint64_t runs = 0;
  std::string separator = " ";
  for (const std::string_view name : {"pause", "work", "jump", "drift", "latency"}) {
    const Quantity& quantity = *find_quantity(name);
    const bool of_server = name == "jump" || name == "drift";
    if (of_server && lock.needs.servers == 0) {
      continue;
    }
    const Border border = find_border(simulation, lock, quantity, ttl_ms);
    runs += border.runs;
    EnvelopeSetting held = setting;
    held.give_time_for(quantity, lock);
    const std::int64_t promised = name == "pause" && has_lease && !border.always_holds()
                                      ? to_milliseconds(story.promised_pause(held))
                                      : -1;
    text += separator + border_text(border, held["work"], promised);
    separator = "; ";
  }
  return text + fmt::format(". ({} runs stand behind this.)", runs + story.runs());
}

}  // namespace holdfast
