// Asks one porter by hand, and looks at all that comes out of it.
#include "harness/seam/porter/node.h"

#include <gtest/gtest.h>

namespace holdfast::porter::node_test {

class Porter : public ::testing::Test {
 protected:
  Porter() { node.begin(10s, {1, 2}); }

  // What it says at once, "" if nothing; the rest goes to `said`.
  std::string ask(ConnectionId connection, std::string verb, Duration now = 0s) {
    ModelNode::Outputs outputs;
    const std::optional<Reply> reply =
        node.submit({.verb = std::move(verb), .lock = "door", .connection = connection}, at(now), outputs);
    keep(outputs);
    return reply ? to_text(*reply) : "";
  }
  void keep(const ModelNode::Outputs& outputs) {
    said.clear();
    for (const ModelNode::Output& output : outputs) {
      if (const auto* const answered = std::get_if<ModelNode::Answered>(&output)) {
        said += "answer " + std::to_string(answered->connection) + " " + to_text(answered->answer) + "; ";
      } else if (const auto* const pushed = std::get_if<ModelNode::Pushed>(&output)) {
        said += "push " + std::to_string(pushed->connection) + " " + pushed->news.lock + "; ";
      } else if (const auto* const closed = std::get_if<ModelNode::Closed>(&output)) {
        said += "close " + std::to_string(closed->connection) + "; ";
      } else if (const auto* const sent = std::get_if<ModelNode::Sent>(&output)) {
        said += "tell " + std::to_string(sent->member) + " " + std::to_string(sent->part.count) + "; ";
      }
    }
  }
  static NodeClocks at(Duration now) { return {now, now}; }

  ModelNode node;
  std::string said;
};

TEST_F(Porter, WhoeverWaitsIsAnsweredWhenItsTurnComes) {
  EXPECT_EQ(ask(1, "lock"), "granted 1");
  EXPECT_EQ(said, "tell 1 1; tell 2 1; ");
  EXPECT_EQ(ask(2, "lock"), "");
  EXPECT_EQ(said, "push 1 door; ");
  EXPECT_EQ(ask(3, "lock"), "");
  EXPECT_EQ(ask(2, "unlock"), "not yours");
  EXPECT_EQ(ask(1, "unlock"), "released");
  EXPECT_EQ(said, "tell 1 2; tell 2 2; answer 2 granted 2; push 2 door; ");
}

TEST_F(Porter, TheEndOfAConnectionReleasesWhatItHeldAndTakesItOutOfTheQueue) {
  ask(1, "lock");
  ask(2, "lock");
  ask(3, "lock");
  EXPECT_TRUE(node.keeps_something_of(1));
  EXPECT_FALSE(node.keeps_something_of(2));
  ModelNode::Outputs outputs;
  node.close(2, {}, outputs);
  node.close(1, {}, outputs);
  keep(outputs);
  EXPECT_EQ(said, "tell 1 2; tell 2 2; answer 3 granted 2; ");
}

TEST_F(Porter, AHolderThatIsNotHeardOfLosesItsConnection) {
  ask(1, "lock", 1s);
  ask(2, "lock", 2s);
  ASSERT_TRUE(node.next_due().has_value());
  EXPECT_EQ(node.next_due()->reading, 11s);
  ModelNode::Outputs outputs;
  node.advance(at(11s), outputs);
  keep(outputs);
  EXPECT_EQ(said, "close 1; tell 1 2; tell 2 2; answer 2 granted 2; ");
}

TEST_F(Porter, AStandbyGoesOnCountingAndACrashKeepsNoLock) {
  ModelNode::Outputs outputs;
  node.hear(1, {7}, {}, outputs);
  EXPECT_EQ(ask(1, "lock"), "granted 8");
  node.crash({});
  node.restart({});
  EXPECT_EQ(ask(2, "lock"), "granted 9");
}

}  // namespace holdfast::porter::node_test
