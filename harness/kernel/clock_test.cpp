// Clocks by properties: what a timer waits for is exactly when its clock shows the reading.
#include "harness/kernel/clock.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace holdfast {
namespace {

constexpr std::int64_t hour_ns = 3'600'000'000'000;

// A clock after a few jumps and changes of rate, and the true time it has come to.
struct Used {
  Clock clock;
  Duration now{0};
};

Used use(std::int64_t rate_at_most) {
  Used used{Clock(Duration(*rc::gen::inRange<std::int64_t>(0, hour_ns))), Duration(0)};
  const auto changes = *rc::gen::inRange(0, 5);
  for (int change = 0; change < changes; ++change) {
    used.now += Duration(*rc::gen::inRange<std::int64_t>(0, hour_ns));
    used.clock.set_rate(*rc::gen::inRange<std::int64_t>(1, rate_at_most), used.now);
    used.now += Duration(*rc::gen::inRange<std::int64_t>(0, hour_ns));
    used.clock.jump(Duration(*rc::gen::inRange<std::int64_t>(-hour_ns, hour_ns)), used.now);
  }
  return used;
}

RC_GTEST_PROP(ClockProperty, WhenIsTheEarliestTimeThatShowsTheReading, ()) {
  const Used used = use(2 * Clock::true_rate);
  const Duration reading = used.clock.read(used.now) + Duration(*rc::gen::inRange<std::int64_t>(1, hour_ns));
  const Duration at = used.clock.when(reading, used.now);
  RC_PRE(at != never);
  RC_ASSERT(at > used.now);
  RC_ASSERT(used.clock.read(at) >= reading);
  RC_ASSERT(used.clock.read(at - 1ns) < reading);
}

RC_GTEST_PROP(ClockProperty, AReadingAlreadyShownIsDueNow, ()) {
  const Used used = use(2 * Clock::true_rate);
  const Duration back = Duration(*rc::gen::inRange<std::int64_t>(0, hour_ns));
  RC_ASSERT(used.clock.when(used.clock.read(used.now) - back, used.now) == used.now);
}

RC_GTEST_PROP(ClockProperty, NeverGoesBackUnderAPositiveRate, ()) {
  const Used used = use(2 * Clock::true_rate);
  const Duration step = Duration(*rc::gen::inRange<std::int64_t>(0, hour_ns));
  RC_ASSERT(used.clock.read(used.now + step) >= used.clock.read(used.now));
}

RC_GTEST_PROP(ClockProperty, ChangingTheRateDoesNotMoveTheHands, ()) {
  Used used = use(2 * Clock::true_rate);
  const Duration before = used.clock.read(used.now);
  used.clock.set_rate(*rc::gen::inRange<std::int64_t>(0, 3 * Clock::true_rate), used.now);
  RC_ASSERT(used.clock.read(used.now) == before);
}

TEST(Clock, AJumpMovesTheHandsByExactlyThat) {
  Clock clock(10s);
  clock.jump(-3s, 5s);
  EXPECT_EQ(clock.read(5s), 12s);
  EXPECT_EQ(clock.read(6s), 13s);
}

TEST(Clock, ADriftIsExactToTheNanosecond) {
  Clock clock;
  clock.set_rate(Clock::true_rate + 100'000, 0s);  // 100 parts per million fast
  EXPECT_EQ(clock.read(10'000s), 10'001s);
}

TEST(Clock, AFrozenClockShowsWhatItShowedAndReachesNothingMore) {
  Clock clock(10s);
  clock.set_rate(0, 5s);
  EXPECT_TRUE(clock.frozen());
  EXPECT_EQ(clock.read(1000s), 15s);
  EXPECT_EQ(clock.when(15s, 1000s), 1000s);
  EXPECT_EQ(clock.when(15s + 1ns, 1000s), never);
}

TEST(Clock, AReadingBeyondAllTimeIsNever) {
  Clock slow;
  slow.set_rate(1, 0s);  // a nanosecond a second: three hours are further away than 64 bits reach
  EXPECT_EQ(slow.when(3h, 0s), never);
  Clock late;
  late.jump(-100s, 50s);
  EXPECT_EQ(late.when(never, 50s), never);
}

}  // namespace
}  // namespace holdfast
