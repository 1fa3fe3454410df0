// Feeds a conversation to the wire, in pieces.
#include "harness/seam/porter/wire.h"

#include <gtest/gtest.h>

#include "harness/machine/process/live_error.h"

namespace holdfast::porter::wire_test {

using live::Direction;
using live::MessageKind;

TEST(PorterWire, TellsWhoSpeaksFirstFromAnswersAndPushes) {
  PorterWire wire;
  EXPECT_FALSE(wire.feed(Direction::to_client, "porter").has_value());
  EXPECT_EQ(wire.feed(Direction::to_client, "porter 1\n")->kind, MessageKind::noise);
  const auto request = wire.feed(Direction::to_server, "lock door\nunlock door\n");
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->kind, MessageKind::request);
  EXPECT_EQ(request->name, "lock");
  EXPECT_EQ(request->length, 10U);
  EXPECT_EQ(wire.feed(Direction::to_server, "ping\n")->kind, MessageKind::noise);
  const auto push = wire.feed(Direction::to_client, "! wanted door\n");
  ASSERT_TRUE(push.has_value());
  EXPECT_EQ(push->kind, MessageKind::push);
  EXPECT_EQ(push->text, "door");
  const auto answer = wire.feed(Direction::to_client, "granted 7\n");
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->kind, MessageKind::answer);
  EXPECT_EQ(answer->asked, "lock door");
  EXPECT_EQ(answer->text, "granted 7");
  EXPECT_THROW(wire.feed(Direction::to_client, "released\n"), live::LiveError);
}

}  // namespace holdfast::porter::wire_test
