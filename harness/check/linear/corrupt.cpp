#include "harness/check/linear/corrupt.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace holdfast::linear {
namespace {

using Events = std::vector<CallEvent>;

bool is_return(const CallEvent& event) {
  return event.type != CallEventType::invoke && event.type != CallEventType::ended;
}

// Towards the beginning or the end, as long as it does not pass an event of its own client.
void move_event(Events& events, std::size_t index, RandomStrategy& random) {
  const bool earlier = draw(random, 2) == 0;
  for (std::uint32_t steps = 1 + draw(random, 4); steps > 0; --steps) {
    if (earlier ? index == 0 : index + 1 == events.size()) {
      return;
    }
    const std::size_t other = earlier ? index - 1 : index + 1;
    if (events[other].client == events[index].client) {
      return;
    }
    std::swap(events[index], events[other]);
    index = other;
  }
}

void lose_call(Events& events, std::size_t index) {
  const CallEvent lost = events[index];
  if (lost.type != CallEventType::invoke) {
    return;
  }
  const auto begin = events.begin() + static_cast<std::ptrdiff_t>(index);
  const auto next = std::find_if(begin + 1, events.end(), [&](const CallEvent& event) {
    return event.client == lost.client && event.type != CallEventType::ended;
  });
  if (next != events.end() && is_return(*next)) {
    events.erase(next);
  }
  events.erase(begin);
}

void exchange_answers(Events& events, CallEvent& event, RandomStrategy& random) {
  CallEvent& other = events[draw(random, events.size())];
  if (event.type == CallEventType::ok && other.type == CallEventType::ok && event.action == other.action) {
    std::swap(event.refused, other.refused);
    std::swap(event.token, other.token);
    std::swap(event.value, other.value);
  }
}

}  // namespace

void corrupt_once(std::vector<CallEvent>& events, RandomStrategy& random) {
  if (events.empty()) {
    return;
  }
  const std::uint32_t way = draw(random, 7);
  std::size_t index = draw(random, events.size());
  while (way < 4 && events[index].type != CallEventType::ok && index + 1 < events.size()) {
    ++index;  // only answers are worth changing
  }
  CallEvent& event = events[index];
  switch (way) {
    case 0:
      event.refused = event.type == CallEventType::ok && !event.refused;
      break;
    case 1:
      if (event.token) {
        *event.token += std::int64_t{draw(random, 2)} * 3 - 2;
      }
      break;
    case 2:
      if (event.value || event.action == Action::read) {
        event.value = event.value.value_or(0) + std::int64_t{draw(random, 2)} * 2 - 1;
      }
      break;
    case 3:
      exchange_answers(events, event, random);
      break;
    case 4:
      lose_call(events, index);
      break;
    default:
      move_event(events, index, random);
  }
}

}  // namespace holdfast::linear
