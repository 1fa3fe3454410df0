// What a client's library says by itself: it keeps what its client holds, and no fault counts it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/seam/test_program.h"

namespace holdfast::noise_test {

constexpr const char* short_silence = R"({"porter": {"silence": "3s"}})";
constexpr const char* with_pings = R"({"porter": {"silence": "3s", "ping": "1s"}})";
constexpr const char* long_work = R"([{"name": "c1", "work": "8s"}, {"name": "c2", "start": "1s"}])";

TEST_F(SeamTest, PingsKeepALockThatSilenceLoses) {
  EXPECT_EQ(holdfast({"run", story("", "porter-lock", short_silence, long_work)}).code, 1);
  const Outcome told = holdfast({"run", story("", "porter-lock", with_pings, long_work)});
  EXPECT_EQ(told.code, 0) << told.out << told.err;
}

TEST_F(SeamTest, WhoPausesSaysNothing) {
  const Outcome told = holdfast({"run", story(R"({"fault": "gc-pause", "on": "c1", "for": "5s",
      "at": {"client": "c1", "point": "work"}})",
                                              "porter-lock", with_pings, long_work)});
  EXPECT_EQ(told.code, 1) << told.err;
}

// The next message is the one that the story means, not a ping that happens to go first.
TEST_F(SeamTest, FaultsStrikeNoPing) {
  const Outcome told = holdfast({"run", story(R"({"fault": "lost-reply", "on": "c1",
      "at": {"client": "c1", "command": "unlock", "phase": "applied"}})",
                                              "porter-lock", with_pings, long_work)});
  EXPECT_THAT(told.out, testing::HasSubstr("unlock")) << told.err;
  EXPECT_THAT(told.out, testing::Not(testing::HasSubstr("ping")));
}

}  // namespace holdfast::noise_test
