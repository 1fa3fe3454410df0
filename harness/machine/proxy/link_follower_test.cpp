// A proxy that follows a link: what one has changed by, the other does, and no more than that.
#include "harness/machine/proxy/link_follower.h"

#include <gmock/gmock.h>

#include "harness/kernel/require.h"
#include "harness/machine/proxy/test_proxy.h"

namespace holdfast::live::proxy_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LinkFollowerTest : public ProxyTest {
 protected:
  LinkFollower follower{proxy};
};

TEST_F(LinkFollowerTest, WhoHoldsTwiceLetsGoTwice) {
  const auto client = connect();
  follower.follow(Direction::to_server, {.holds = 2});
  follower.follow(Direction::to_server, {.holds = 2});
  say(*client, "held");
  follower.follow(Direction::to_server, {.holds = 1});
  run_for_a_while();
  EXPECT_THAT(lines_at_server(), IsEmpty());
  follower.follow(Direction::to_server, {});
  EXPECT_TRUE(becomes_true([&] { return client->lines.size() == 1; }));
  EXPECT_THROW(proxy.let_go(Direction::to_server), BrokenInvariant);
}

TEST_F(LinkFollowerTest, WhoCutsTwiceMendsTwice) {
  const auto client = connect();
  follower.follow(Direction::to_client, {.cuts = 2});
  follower.follow(Direction::to_client, {.cuts = 1});
  say(*client, "cut");
  EXPECT_TRUE(becomes_true([&] { return lines_at_server().size() == 1; }));
  run_for_a_while();
  follower.follow(Direction::to_client, {});
  say(*client, "mended");
  EXPECT_TRUE(becomes_true([&] { return !client->lines.empty(); }));
  EXPECT_THAT(client->lines, ElementsAre("echo mended"));
  EXPECT_THROW(proxy.mend(Direction::to_client), BrokenInvariant);
}

TEST_F(LinkFollowerTest, ADelayGrowsAndShrinksByTheDifference) {
  follower.follow(Direction::to_server, {.extra = 2h});
  follower.follow(Direction::to_server, {.extra = 3h});
  follower.follow(Direction::to_server, {.extra = 1h});
  EXPECT_THROW(proxy.add_delay(Direction::to_server, -1h - 1ns), BrokenInvariant);
}

TEST_F(LinkFollowerTest, EachDirectionIsFollowedByItself) {
  const auto client = connect();
  follower.follow(Direction::to_client, {.holds = 1, .extra = 1h});
  follower.follow(Direction::to_server, {});
  say(*client, "one");
  EXPECT_TRUE(becomes_true([&] { return lines_at_server().size() == 1; }));
  run_for_a_while();
  EXPECT_THAT(client->lines, IsEmpty());
}

// They are handed over once, so they are ordered anew each time.
TEST_F(LinkFollowerTest, WhatIsForTheNextMessagesIsForSoManyAndNoMore) {
  const auto client = connect();
  follower.order_next(Direction::to_server, {.lose_next = 2});
  follower.order_next(Direction::to_client, {.delay_next = 1h});
  for (const char* line : {"lost", "lost too", "late", "third", "fourth"}) {
    say(*client, line);
  }
  EXPECT_TRUE(becomes_true([&] { return client->lines.size() == 2; }));
  EXPECT_THAT(lines_at_server(), ElementsAre("late", "third", "fourth"));
  EXPECT_THAT(client->lines, ElementsAre("echo third", "echo fourth"));
}

TEST_F(LinkFollowerTest, WhatBreaksWithTheNextMessageBreaksOnce) {
  const auto client = connect();
  follower.order_next(Direction::to_server, {.break_next = Breaking::its_connection});
  follower.order_next(Direction::to_server, {});
  say(*client, "lost");
  EXPECT_TRUE(becomes_true([&] { return client->was_reset; }));
  const auto again = connect();
  say(*again, "kept");
  EXPECT_TRUE(becomes_true([&] { return again->lines.size() == 1; }));
  EXPECT_THAT(lines_at_server(), ElementsAre("kept"));
}

}  // namespace holdfast::live::proxy_test
