#include "harness/check/linear/outline.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "harness/kernel/require.h"

namespace holdfast::linear {
namespace {

// Uses are counted in 16 bits. A larger class is split, which costs time only.
constexpr std::uint32_t largest_class = 0xffff;

// Lowest free slot first, so that few are used.
void assign_slots(std::span<const Call> calls, Outline& outline) {
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
  const std::size_t count = outline.required.size();
  require(outline.entering.size() == count, "every call that must be explained enters");
  outline.slot.resize(count);
  outline.entered.reserve(count + 1);
  std::uint32_t entered = 0;
  for (std::uint32_t passed = 0; passed < count; ++passed) {
    const Position now = calls[outline.required[passed]].returned;
    while (entered < count && calls[outline.required[outline.entering[entered]]].invoked < now) {
      std::uint32_t& slot = outline.slot[outline.entering[entered]];
      if (free.empty()) {
        slot = static_cast<std::uint32_t>(outline.slots++);
      } else {
        slot = free.top();
        free.pop();
      }
      ++entered;
    }
    require(passed < entered, "a call is invoked before it returns");
    outline.entered.push_back(entered);
    free.push(outline.slot[passed]);
  }
  require(entered == count, "every call that must be explained has entered at the end");
  outline.entered.push_back(entered);
}

// Equal for calls that a model cannot tell apart.
auto essence(const Call& call, const LooksAt& looks_at) {
  using Number = std::optional<std::int64_t>;
  const bool compares = call.action == Action::compare_and_set;
  const bool presents = looks_at.presented_token && !is_lock_action(call.action);
  return std::tuple(call.action, call.value, compares ? call.expected : Number(),
                    presents ? call.token : Number(), call.conditional,
                    looks_at.client || call.conditional ? call.client : 0,
                    looks_at.mode ? call.mode : Mode::exclusive, looks_at.invocation ? call.invoked : 0);
}

void classify_infos(std::span<const Call> calls, const LooksAt& looks_at, Outline& outline) {
  std::ranges::stable_sort(outline.infos, [&](std::uint32_t left, std::uint32_t right) {
    return std::tuple(essence(calls[left], looks_at), calls[left].invoked) <
           std::tuple(essence(calls[right], looks_at), calls[right].invoked);
  });
  for (std::uint32_t each = 0; each < outline.infos.size(); ++each) {
    const bool same = each > 0 && essence(calls[outline.infos[each]], looks_at) ==
                                      essence(calls[outline.infos[each - 1]], looks_at);
    if (!same || outline.classes.back().last - outline.classes.back().first == largest_class) {
      outline.classes.push_back({each, each});
    }
    ++outline.classes.back().last;
  }
}

}  // namespace

Outline outline(std::span<const Call> calls, const OutlineOptions& options) {
  Outline outline;
  for (std::uint32_t index = 0; index < calls.size(); ++index) {
    const Call& call = calls[index];
    if (!options.knows(call.action)) {
      continue;
    }
    const bool can_matter = call.outcome == Outcome::info && !options.observes(call);
    if (call.outcome == Outcome::ok || (can_matter && call.returned != never_returned)) {
      outline.required.push_back(index);
    } else if (can_matter) {
      outline.infos.push_back(index);
    }
  }
  std::ranges::stable_sort(outline.required, {}, [&](std::uint32_t index) { return calls[index].returned; });
  for (std::uint32_t rank = 0; rank < outline.required.size(); ++rank) {
    const Call& call = calls[outline.required[rank]];
    const Duty answered = options.observes(call) ? Duty::observe : Duty::happen;
    outline.duty.push_back(call.outcome == Outcome::info ? Duty::expire : answered);
    outline.entering.push_back(rank);
  }
  std::ranges::stable_sort(outline.entering, {},
                           [&](std::uint32_t rank) { return calls[outline.required[rank]].invoked; });
  assign_slots(calls, outline);
  classify_infos(calls, options.looks_at, outline);
  return outline;
}

}  // namespace holdfast::linear
