// A store without real servers: the worlds that need some say so, instead of running its models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/seam/test_program.h"

namespace holdfast::real_servers_test {

TEST_F(SeamTest, ThereIsNoWarpWithoutARealServer) {
  const Outcome told = holdfast({"run", story(""), "--world", "warp"});
  EXPECT_EQ(told.code, 2);
  EXPECT_EQ(told.out, "");
  EXPECT_EQ(told.err,
            "holdfast: porter-lock cannot be run in the world warp: there is no real Porter to start\n");
}

TEST_F(SeamTest, ThereIsNoLiveRunWithoutARealServer) {
  const Outcome told = holdfast({"run", story(""), "--world", "live"});
  EXPECT_EQ(told.code, 2);
  EXPECT_EQ(told.out, "");
  EXPECT_EQ(told.err, "holdfast: porter-lock cannot be run live: there is no real Porter to start\n");
}

}  // namespace holdfast::real_servers_test
