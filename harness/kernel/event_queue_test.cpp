// The queue against the obvious: a sorted list.
#include "harness/kernel/event_queue.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/kernel/fingerprint.h"

namespace holdfast {
namespace {

RC_GTEST_PROP(EventQueueProperty, GivesBackInOrderOfTimeThenSequence, ()) {
  const auto times = *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 5));
  EventQueue queue;
  std::vector<QueueEntry> sorted;
  for (std::size_t index = 0; index < times.size(); ++index) {
    sorted.push_back({times[index] * Duration(6ms), index + 1, static_cast<std::uint32_t>(index)});
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

// As in a run: each turn takes what is due, and schedules messages that come soon and timeouts that come
// late.
TEST(EventQueue, KeepsTheOrderWhileItIsFilledAndEmptied) {
  EventQueue queue;
  std::vector<QueueEntry> sorted;
  const auto milliseconds = [](std::uint64_t count) {
    return static_cast<std::int64_t>(count) * Duration(1ms);
  };
  const auto later = [](const QueueEntry& a, const QueueEntry& b) { return b.before(a); };
  std::uint64_t sequence = 0;
  std::uint64_t dice = 1;
  Duration now{0};
  for (int turn = 0; turn < 20'000; ++turn) {
    dice = mix(dice + 1);
    for (const Duration delay : {milliseconds(dice % 7), milliseconds(1000), milliseconds(dice % 2000)}) {
      if (sorted.size() < 3000) {
        const QueueEntry entry{now + delay, ++sequence, static_cast<std::uint32_t>(sequence)};
        queue.push(entry);
        sorted.push_back(entry);
        std::push_heap(sorted.begin(), sorted.end(), later);
      }
    }
    for (std::uint64_t taken = 0; taken < dice % 6 && !sorted.empty(); ++taken) {
      std::pop_heap(sorted.begin(), sorted.end(), later);
      ASSERT_EQ(queue.pop().sequence, sorted.back().sequence);
      now = std::max(now, sorted.back().due);
      sorted.pop_back();
      ASSERT_EQ(queue.size(), sorted.size());
      ASSERT_EQ(queue.empty(), sorted.empty());
    }
  }
  queue.clear();
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace holdfast
