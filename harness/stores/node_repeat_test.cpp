// The same nodes in one run after another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/stores/test_node_group.h"

namespace holdfast {
namespace node_repeat_test {

using namespace test_node_group;
using ::testing::ElementsAre;

class NodeRepeatTest : public NodeGroupTest {
 protected:
  // Nothing was asked of the nodes of the fixture itself.
  NodeRepeatTest() { group.end(); }

  // Each run has the same names and connections, and is broken off at that time.
  void run_anew(Duration until, const std::function<void(Line& of_a, Line& of_b)>& prepare) {
    world.reset();
    again.begin();
    again.add("again", node);
    network.reset(Latency{.least = 1ms, .jitter_step = 0ns, .jitter_steps = 1});
    steps.reset(world.kernel.process_count());
    again.start();
    world.kernel.hold_open();
    Line of_a{again, world.a, world, "of a"};
    Line of_b{again, world.b, world, "of b"};
    prepare(of_a, of_b);
    world.run({.true_time = until});
    world.kernel.stop();
    network.drop_everything();
    again.end();
  }
  void ask_at_once(Line& line, const std::string& text) {
    world.kernel.spawn(line.client(), ask_again(line, text));
  }

  TestNode node;
  Group again{{world.kernel, network, steps}};

 private:
  Group::CallsType::Awaiter send_again(Line& line, const std::string& text) {
    return again.call(line.client() == world.a ? env_a : env_b, line, 0, 500ms, {.text = text});
  }
  Task<> ask_again(Line& line, std::string text) {
    const auto result = co_await send_again(line, text);
    world.note(text + ": " + result.response.text);
  }
};

TEST_F(NodeRepeatTest, WhatWasNotAnsweredInARunIsNoneOfTheNext) {
  run_anew(20ms, [&](Line& of_a, Line&) { ask_at_once(of_a, "wait"); });
  node.closed.clear();
  node.waiting.clear();
  run_anew(20ms, [&](Line& of_a, Line&) {
    ask_at_once(of_a, "now");
    world.at(10ms, [&] { network.reset_connections(world.a, again.process(0)); });
    EXPECT_EQ(of_a.id(), connection_at(0, 0));
  });
  EXPECT_THAT(world.log, ElementsAre("now: done 2", "of a broke 10"));
  EXPECT_THAT(node.closed, ElementsAre(connection_at(0, 0)));
}

TEST_F(NodeRepeatTest, AConnectionThatWasClosedInARunIsOpenInTheNext) {
  run_anew(20ms, [&](Line&, Line& of_b) {
    network.cut(again.process(0), world.b);  // who never hears of it
    ask_at_once(of_b, "close");
  });
  run_anew(20ms, [&](Line&, Line& of_b) { ask_at_once(of_b, "now"); });
  EXPECT_THAT(world.log, ElementsAre("now: done 2"));
}

TEST_F(NodeRepeatTest, ATimerThatWasNotDueInARunRingsInTheNext) {
  run_anew(20ms, [&](Line&, Line&) {
    node.alarm = again.clocks(0).monotonic + 50ms;
    again.prompt(0, [](const NodeClocks&, TestNode::Outputs&) {});
  });
  EXPECT_EQ(node.advanced, 0);
  run_anew(100ms, [](Line&, Line&) {});
  EXPECT_EQ(node.advanced, 1);
}

}  // namespace node_repeat_test
}  // namespace holdfast
