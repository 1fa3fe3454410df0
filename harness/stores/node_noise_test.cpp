// What overtakes on a connection, and what is said on it that is no step.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/stores/test_node_group.h"

namespace holdfast {
namespace node_noise_test {

using namespace test_node_group;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(NodeGroupTest, RequestsWithNumbersOvertakeEachOtherOnTheirConnection) {
  at(0ms, first, "slow");
  at(5ms, first, "quick");
  run();
  EXPECT_THAT(world.log, ElementsAre("first hears about to answer 7", "quick: quickly 7", "slow: slowly 7"));
}

TEST_F(NodeGroupTest, NoiseIsHeardAndTakesNoStep) {
  struct Counter final : StepObserver {
    void on_step(const Step&) override { ++count; }
    int count = 0;
  } counter;
  steps.observe(counter);
  first.murmur("nobody is there to hear it");
  at(0ms, first, "now");
  world.at(5ms, [&] { first.murmur("here I am"); });
  run();
  EXPECT_THAT(world.log, ElementsAre("now: done 2", "first hears yes 7"));
  EXPECT_THAT(one.asked, ElementsAre("now", "here I am"));
  EXPECT_EQ(counter.count, 4);  // of the one call
}

TEST_F(NodeGroupTest, NoiseIsNotTheNextMessageThatALinkLoses) {
  at(0ms, first, "now");
  world.at(5ms, [&] {
    network.lose_next(world.a, group.process(0));
    network.delay_next(group.process(0), world.a, 100ms);
    first.murmur("here I am");
  });
  at(10ms, first, "now");
  run();
  EXPECT_THAT(world.log, ElementsAre("now: done 2", "first hears yes 7", "now: timed out 510"));
}

TEST_F(NodeGroupTest, NoiseOfAConnectionThatBrokeIsNotHeard) {
  at(0ms, first, "now");
  world.at(5ms, [&] {
    first.murmur("here I am");
    network.reset_connection(first.id(), world.a, group.process(0));
    first.murmur("and here");
  });
  run();
  EXPECT_THAT(one.asked, ElementsAre("now"));
}

TEST_F(NodeGroupTest, NoiseOnAConnectionThatTheServerHasClosedIsNotHeard) {
  at(0ms, first, "close");
  world.at(500us, [&] { first.murmur("here I am"); });
  run();
  EXPECT_THAT(one.asked, ElementsAre("close"));
}

// Messages are used again, and what was noise once is none for that.
TEST_F(NodeGroupTest, WhatFollowsNoiseIsTheNextMessageThatALinkLoses) {
  at(0ms, first, "now");
  world.at(5ms, [&] {
    first.murmur("here I am");
    first.murmur("and here");
  });
  world.at(10ms, [&] {
    for (int message = 0; message < 3; ++message) {
      network.lose_next(group.process(0), group.process(1));
    }
  });
  at(20ms, first, "pass");
  at(20ms, second, "pass");
  at(20ms, other, "pass");
  run();
  EXPECT_THAT(two.heard, IsEmpty());
}

}  // namespace node_noise_test
}  // namespace holdfast
