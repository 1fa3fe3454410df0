// The heap against the obvious: a sorted list.
#include "harness/kernel/event_queue.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace holdfast {
namespace {

RC_GTEST_PROP(EventQueueProperty, GivesBackInOrderOfTimeThenSequence, ()) {
  const auto times = *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 5));
  EventQueue queue;
  std::vector<QueueEntry> sorted;
  for (std::size_t index = 0; index < times.size(); ++index) {
    sorted.push_back({Duration(times[index]), index + 1, static_cast<std::uint32_t>(index)});
    queue.push(sorted.back());
  }
  std::sort(sorted.begin(), sorted.end(), [](const QueueEntry& a, const QueueEntry& b) {
    return std::pair(a.due, a.sequence) < std::pair(b.due, b.sequence);
  });
  RC_ASSERT(queue.size() == sorted.size());
  for (const QueueEntry& expected : sorted) {
    RC_ASSERT(queue.top().sequence == expected.sequence);
    RC_ASSERT(queue.pop().slot == expected.slot);
  }
  RC_ASSERT(queue.empty());
}

}  // namespace
}  // namespace holdfast
