// Nodes over the kernel's network: what is asked, answered, pushed, closed, told and lost.
#include "harness/stores/node_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/stores/test_node_group.h"

namespace holdfast {
namespace node_group_test {

using namespace test_node_group;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(NodeGroupTest, AnAnswerComesAtOnceOrLaterAndOneRequestMaySetManyFree) {
  at(0ms, first, "now");
  at(10ms, first, "wait");
  at(20ms, other, "wait");
  at(30ms, second, "free all");
  run();
  EXPECT_THAT(world.log, ElementsAre("now: done 2", "wait: freed 32", "wait: freed 32", "free all: done 32"));
}

TEST_F(NodeGroupTest, WhatOneConnectionAskedIsAnsweredInThatOrder) {
  at(0ms, first, "wait");
  at(5ms, first, "alarm");
  at(10ms, other, "free all");
  run();
  EXPECT_THAT(world.log, ElementsAre("wait: freed 12", "alarm: freed 12", "free all: done 12"));
}

TEST_F(NodeGroupTest, NothingIsKeptOfWhatWasAnsweredOrWillNeverBe) {
  for (int number = 0; number < 30; ++number) {
    at(number * 20ms, first, "wait");
    at(number * 20ms, second, "wait");
    world.at(number * 20ms + 5ms, [&] { network.reset_connection(first.id(), world.a, group.process(0)); });
    at(number * 20ms + 10ms, other, "free all");
  }
  run();
  EXPECT_LE(group.calls_made(), 4U);
}

TEST_F(NodeGroupTest, ATimerOfANodeRunsOnItsOwnClock) {
  at(0ms, first, "alarm");
  world.at(10ms, [&] {
    world.kernel.set_clock_rate(group.process(0), ClockKind::monotonic, Clock::true_rate * 2);
  });
  run();
  EXPECT_THAT(world.log, ElementsAre("alarm: rang 31"));  // 9 ms, then 41 at twice the speed, and 1 back
}

TEST_F(NodeGroupTest, ATimerWaitsOutAPauseAndDiesWithItsProcess) {
  at(0ms, first, "alarm");
  world.at(10ms, [&] { world.kernel.pause(group.process(0)); });
  world.at(100ms, [&] { world.kernel.resume(group.process(0)); });
  at(200ms, first, "alarm");
  world.at(210ms, [&] { world.kernel.crash(group.process(0)); });
  run();
  EXPECT_THAT(world.log, ElementsAre("alarm: rang 101", "first broke 210", "alarm: connection reset 210"));
}

TEST_F(NodeGroupTest, ATimerThatTheNodeKeptRingsOnceAfterARestart) {
  at(0ms, first, "alarm");
  world.at(10ms, [&] { world.kernel.crash(group.process(0)); });
  world.at(20ms, [&] { world.kernel.restart(group.process(0)); });
  at(30ms, first, "wait");
  run();
  EXPECT_THAT(world.log, ElementsAre("first broke 10", "alarm: connection reset 10", "wait: rang 52"));
  EXPECT_EQ(one.advanced, 1);
}

TEST_F(NodeGroupTest, ATimerThatTheNodeKeptRingsAfterARestartThoughNobodyAsks) {
  at(0ms, first, "alarm");
  world.at(10ms, [&] { world.kernel.crash(group.process(0)); });
  world.at(20ms, [&] { world.kernel.restart(group.process(0)); });
  run();
  EXPECT_EQ(one.advanced, 1);
}

TEST_F(NodeGroupTest, ATimerThatComesDueWhileItsProcessIsDeadRingsAfterTheRestart) {
  at(0ms, first, "alarm");
  world.at(10ms, [&] { world.kernel.crash(group.process(0)); });
  world.at(100ms, [&] {
    EXPECT_EQ(one.advanced, 0);
    world.kernel.restart(group.process(0));
  });
  run();
  EXPECT_EQ(one.advanced, 1);
}

TEST_F(NodeGroupTest, ANodeThatNobodyAskedHasItsTimersToo) {
  one.alarm = 50ms;
  group.start();
  run();
  EXPECT_EQ(one.advanced, 1);
}

TEST_F(NodeGroupTest, ATimerThatIsPutOffRingsOnce) {
  at(0ms, first, "alarm");
  at(20ms, second, "alarm");
  run();
  EXPECT_THAT(world.log, ElementsAre("alarm: rang 72", "alarm: rang 72"));
  EXPECT_EQ(one.advanced, 1);
}

TEST_F(NodeGroupTest, NewsReachTheConnectionTheyAreFor) {
  at(0ms, first, "now");
  at(10ms, other, "tell all");
  run();
  EXPECT_THAT(world.log,
              ElementsAre("now: done 2", "first hears news 12", "other hears news 12", "tell all: done 12"));
}

TEST_F(NodeGroupTest, AServerMayCloseAConnection) {
  at(0ms, first, "close");
  at(10ms, first, "now");
  at(10ms, second, "now");
  run();
  EXPECT_THAT(world.log,
              ElementsAre("first broke 2", "close: connection reset 2", "now: done 12", "now: done 12"));
}

TEST_F(NodeGroupTest, NothingIsHeardOnAConnectionThatTheServerHasClosed) {
  network.delay_next(group.process(0), world.a, 100ms);  // the end of it, which news would overtake
  at(0ms, first, "close");
  at(10ms, other, "tell all");
  run();
  EXPECT_THAT(world.log, ElementsAre("other hears news 12", "tell all: done 12", "first broke 102",
                                     "close: connection reset 102"));
}

TEST_F(NodeGroupTest, WhoDidNotHearThatTheServerClosedAConnectionDoesNotCloseItAgain) {
  network.cut(group.process(0), world.a);
  at(0ms, first, "close");
  run();
  EXPECT_THAT(world.log, ElementsAre("close: timed out 500"));
  EXPECT_THAT(one.closed, IsEmpty());
}

TEST_F(NodeGroupTest, AConnectionBreaksAloneAndComesBackUnderAnotherNumber) {
  const ConnectionId before = first.id();
  at(0ms, first, "wait");
  at(0ms, second, "wait");
  world.at(10ms, [&] { network.reset_connection(before, world.a, group.process(0)); });
  at(20ms, other, "free all");
  run();
  EXPECT_THAT(world.log, ElementsAre("first broke 10", "wait: connection reset 10", "wait: freed 22",
                                     "free all: done 22"));
  EXPECT_THAT(one.closed, ElementsAre(before));
  EXPECT_NE(first.id(), before);
  EXPECT_EQ(place_of(first.id()), place_of(before));
}

TEST_F(NodeGroupTest, WhatIsAskedOnAConnectionThatBreaksJustThenIsAskedOnTheNext) {
  const ConnectionId before = first.id();
  when(Phase::sending, "wait", [&] { network.reset_connection(before, world.a, group.process(0)); });
  at(0ms, first, "wait");
  at(10ms, other, "free all");
  run();
  EXPECT_THAT(world.log, ElementsAre("first broke 0", "wait: freed 12", "free all: done 12"));
  EXPECT_THAT(one.spoke, ElementsAre(first.id(), other.id()));
}

TEST_F(NodeGroupTest, AClientThatIsDeadIsNotToldThatAConnectionBroke) {
  at(0ms, first, "now");
  world.at(10ms, [&] { world.kernel.crash(world.a); });
  world.at(20ms, [&] { network.reset_connections(world.a, group.process(0)); });
  run();
  EXPECT_THAT(world.log, ElementsAre("now: done 2"));
}

TEST_F(NodeGroupTest, WhoLosesPatienceClosesWhatIsNotAnsweredAndNothingElse) {
  const ConnectionId before = first.id();
  at(0ms, first, "wait");
  network.hold(group.process(0), world.b);
  at(0ms, other, "now");
  run();
  EXPECT_THAT(world.log, ElementsAre("wait: timed out 500", "now: timed out 500"));
  EXPECT_THAT(one.closed, ElementsAre(before));
  EXPECT_THAT(one.waiting, IsEmpty());
}

TEST_F(NodeGroupTest, WhatANodeKeepsOfAConnectionEndsWhenItsClientGivesItUp) {
  const ConnectionId before = first.id();
  network.hold(group.process(0), world.a);  // it is answered, and the client does not hear of it
  at(0ms, first, "keep");
  run();
  EXPECT_THAT(world.log, ElementsAre("keep: timed out 500"));
  EXPECT_THAT(one.closed, ElementsAre(before));
  EXPECT_THAT(one.kept, IsEmpty());
}

TEST_F(NodeGroupTest, WhatComesOnAConnectionThatWasGivenUpIsNotKept) {
  const ConnectionId before = first.id();
  network.delay_next(world.a, group.process(0), 600ms);
  at(0ms, first, "keep");
  run();
  EXPECT_THAT(one.asked, ElementsAre("keep"));
  EXPECT_THAT(one.closed, ElementsAre(before));
  EXPECT_THAT(one.kept, IsEmpty());
}

TEST_F(NodeGroupTest, WhatADeadServerHadNotAnsweredIsForgotten) {
  at(0ms, first, "wait");
  world.at(10ms, [&] { world.kernel.crash(group.process(0)); });
  world.at(20ms, [&] { world.kernel.restart(group.process(0)); });
  at(30ms, first, "wait");
  world.at(40ms, [&] { network.reset_connections(world.a, group.process(0)); });
  run();
  EXPECT_THAT(one.closed, ElementsAre(connection_at(place_of(first.id()), 1)));
}

TEST_F(NodeGroupTest, MembersHearEachOther) {
  at(0ms, first, "wait");
  at(10ms, second, "pass");
  run();
  EXPECT_THAT(world.log, ElementsAre("pass: done 12", "wait: passed 14"));
  EXPECT_THAT(two.heard, ElementsAre(7));
  EXPECT_THAT(one.heard, ElementsAre(8));
}

TEST_F(NodeGroupTest, AMemberThatDiesIsLostToTheOthersAndComesBack) {
  world.at(10ms, [&] { world.kernel.crash(group.process(1)); });
  world.at(20ms, [&] { world.kernel.restart(group.process(1)); });
  run();
  EXPECT_THAT(one.lost, ElementsAre(1U));
  EXPECT_THAT(two.lost, IsEmpty());
  EXPECT_THAT(two.heard, ElementsAre(-1));
}

TEST_F(NodeGroupTest, AConnectionThatBreaksWhileOthersAreAnsweredIsNotAnsweredAnyMore) {
  at(0ms, first, "wait");
  at(0ms, second, "wait");
  at(0ms, other, "wait");
  when(Phase::applied, "wait", [&] { network.reset_connections(world.a, group.process(0)); });
  world.at(10ms, [&] { world.kernel.spawn(world.b, ask(other, "free all")); });
  run();
  EXPECT_THAT(world.log, ElementsAre("first broke 11", "second broke 11", "wait: connection reset 11",
                                     "wait: connection reset 11", "wait: freed 12", "free all: done 12"));
}

TEST_F(NodeGroupTest, WhatIsSaidOfConnectionsThatBreakWhileOthersAreAnsweredIsHeard) {
  one.told_of_the_end = {other.id()};
  at(0ms, first, "wait");
  at(0ms, second, "wait");
  when(Phase::applied, "wait", [&] { network.reset_connections(world.a, group.process(0)); });
  at(10ms, other, "free all");
  run();
  EXPECT_THAT(world.log, ElementsAre("first broke 11", "second broke 11", "wait: connection reset 11",
                                     "wait: connection reset 11", "other hears of an end 12",
                                     "other hears of an end 12", "free all: done 12"));
}

TEST_F(NodeGroupTest, AServerThatDiesWhileItAnswersSaysNothingMore) {
  at(0ms, first, "wait");
  at(0ms, second, "wait");
  int applied = 0;
  when(Phase::applied, "wait", [&] {
    world.kernel.crash(group.process(0));
    striker.what = [&] { ++applied; };
  });
  at(10ms, other, "free all");
  run();
  EXPECT_EQ(applied, 0);
  EXPECT_THAT(world.log,
              ElementsAre("first broke 11", "second broke 11", "other broke 11", "wait: connection reset 11",
                          "wait: connection reset 11", "free all: connection reset 11"));
}

TEST_F(NodeGroupTest, AConnectionIsToOneServerAndOutlivesWhatBefallsAnother) {
  const ConnectionId before = first.id();
  at(0ms, first, "wait");
  world.at(10ms, [&] { network.reset_connections(world.a, group.process(1)); });
  world.at(20ms, [&] { world.kernel.crash(group.process(1)); });
  at(30ms, other, "tell all");
  at(40ms, other, "free all");
  run();
  EXPECT_THAT(world.log, ElementsAre("first hears news 32", "other hears news 32", "tell all: done 32",
                                     "wait: freed 42", "free all: done 42"));
  EXPECT_EQ(first.id(), before);
}

TEST_F(NodeGroupTest, WhoTurnsToAnotherServerLeavesTheOneBefore) {
  const ConnectionId before = first.id();
  at(0ms, first, "wait");
  world.at(10ms, [&] { world.kernel.spawn(world.a, ask_other(first, "now")); });
  run();
  EXPECT_THAT(one.closed, ElementsAre(before));
  EXPECT_THAT(two.spoke, ElementsAre(connection_at(place_of(before), 1)));
}

TEST_F(NodeGroupTest, WhatComesOnAConnectionThatTheServerHasClosedIsNotServed) {
  at(0ms, first, "close");
  at(0ms, first, "now");
  at(0ms, second, "now");
  run();
  EXPECT_THAT(world.log, ElementsAre("first broke 2", "now: done 2", "close: connection reset 2",
                                     "now: connection reset 2"));
  EXPECT_THAT(one.asked, ElementsAre("close", "now"));
}

TEST_F(NodeGroupTest, WhatWasGivenUpBeforeItArrivedIsNotWaitedFor) {
  const ConnectionId before = first.id();
  network.delay_next(world.a, group.process(0), 600ms);
  at(0ms, first, "wait");
  run();
  EXPECT_THAT(world.log, ElementsAre("wait: timed out 500"));
  EXPECT_THAT(one.closed, ElementsAre(before));
  EXPECT_THAT(one.waiting, IsEmpty());
}

TEST_F(NodeGroupTest, AResetTakesConnectionsThatWereGivenUpWithIt) {
  const ConnectionId before = first.id();
  at(0ms, first, "wait");
  world.at(500500us, [&] { network.reset_connections(world.a, group.process(0)); });
  run();
  EXPECT_THAT(one.closed, ElementsAre(connection_at(place_of(before), 1), before));
  EXPECT_THAT(one.waiting, IsEmpty());
}

TEST_F(NodeGroupTest, OneThatWasGivenUpCanStillBreakAtTheServer) {
  const ConnectionId before = first.id();
  at(0ms, first, "wait");
  world.at(500500us, [&] { network.reset_connection(before, world.a, group.process(0)); });
  run();
  EXPECT_THAT(world.log, ElementsAre("wait: timed out 500"));
  EXPECT_THAT(one.closed, ElementsAre(before));
}

}  // namespace node_group_test
}  // namespace holdfast
