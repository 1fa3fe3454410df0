// How: borders that can be computed by hand. A lease of 10 s with messages of 1 ms: what the holder may do
// before it runs out.
#include "harness/explore/envelope.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace envelope_test {

Border border_of(std::string_view lock, std::string_view quantity, std::int64_t ttl_ms = 10'000) {
  Simulation simulation;
  std::uint64_t runs = 0;
  return find_border(simulation, *find_lock(lock), *find_quantity(quantity), ttl_ms, runs);
}

// The lease runs from the server's SET, the pause begins after the reply and the read: some ms are gone.
TEST(Envelope, APauseMayLastAsLongAsWhatIsLeftOfTheLease) {
  for (const std::int64_t ttl : {5'000, 10'000}) {
    const Border border = border_of("redis-px-cad", "pause", ttl);
    EXPECT_GT(border.holds_up_to, ttl - 20) << ttl;
    EXPECT_LT(border.holds_up_to, ttl) << ttl;
    EXPECT_EQ(border.safe_up_to, border.holds_up_to) << "it has no tokens";
  }
}

TEST(Envelope, ARenewedLeaseMayBeWorkedUnderForEver) {
  EXPECT_TRUE(border_of("redis-watchdog", "work").always_holds);
  EXPECT_FALSE(border_of("redis-px-cad", "work").always_holds);
}

TEST(Envelope, WithTokensTheResourceIsSafeWhereTheLockIsNot) {
  const Border border = border_of("redisson-fenced", "pause", 30'000);
  EXPECT_TRUE(border.always_safe);
  EXPECT_FALSE(border.always_holds);
}

TEST(Envelope, AJumpMayTakeWhatIsLeftOfTheLease) {
  const Border border = border_of("redis-px-cad", "jump");
  EXPECT_GT(border.holds_up_to, 4'950);
  EXPECT_LT(border.holds_up_to, 5'000);
}

// Nine tenths of the lease are worked: a clock that is a ninth too fast ends it.
TEST(Envelope, ADriftMayTakeAtMostATenthOfTheLease) {
  const Border border = border_of("redis-px-cad", "drift");
  EXPECT_GT(border.holds_up_to, 105'000);
  EXPECT_LT(border.holds_up_to, 111'112);
}

TEST(Envelope, TheCertificateNamesTheBorders) {
  Simulation simulation;
  const std::string text = certificate(simulation, *find_lock("redis-px-cad"));
  EXPECT_NE(text.find("a pause of the holder: up to 9.9"), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

}  // namespace envelope_test
}  // namespace holdfast
