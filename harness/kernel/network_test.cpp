// Links: order, hold, cut, reset, single messages lost or late, and destinations that died or pause.
#include "harness/kernel/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "harness/kernel/test_kernel.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Note final : public Message {
 public:
  Note(TestKernel& world, std::string word, ConnectionId connection = no_connection)
      : world_(world), word_(std::move(word)), connection_(connection) {}
  void arrive() override {
    world_.note(word_);
    if (on_arrival) {
      on_arrival();
    }
  }
  void bounce() override { world_.note(word_ + " bounced"); }
  ConnectionId connection() const override { return connection_; }
  bool is_sent_again() const override { return sent_again; }
  bool in_flight() const { return in_flight_; }
  std::function<void()> on_arrival;
  bool sent_again = false;

 private:
  friend class NetworkTest;
  void recycle() override { in_flight_ = false; }
  TestKernel& world_;
  std::string word_;
  ConnectionId connection_;
  bool in_flight_ = false;
};

class NetworkTest : public ::testing::Test, public ResetListener {
 protected:
  NetworkTest() { restart(Latency{.least = 10ms, .jitter_step = 0ns, .jitter_steps = 1}); }
  ~NetworkTest() override {
    world.kernel.stop();
    network.drop_everything();
  }
  void restart(Latency latency) {
    network.reset(latency);
    network.listen(*this);
    world.kernel.hold_open();
    world.at(1h, [&] { world.kernel.let_close(); });
  }

  Note& send(std::string word, ConnectionId connection = no_connection) {
    letters.emplace_back(world, std::move(word), connection);
    letters.back().in_flight_ = true;
    network.send(world.a, world.b, letters.back());
    return letters.back();
  }
  void send_at(Duration time, const std::string& word) {
    world.at(time, [this, word] { send(word); });
  }
  void on_reset(ProcessId one, ProcessId other) override { resets.emplace_back(one, other); }
  void on_reset_of(ConnectionId connection, ProcessId, ProcessId) override { broken.push_back(connection); }

  TestKernel world;
  Network network{world.kernel};
  std::deque<Note> letters;
  std::vector<std::pair<ProcessId, ProcessId>> resets;
  std::vector<ConnectionId> broken;
};

TEST_F(NetworkTest, AMessageTakesTheLatencyAndIsThenLetGo) {
  const Note& letter = send("hello");
  EXPECT_TRUE(letter.in_flight());
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("hello 10"));
  EXPECT_FALSE(letter.in_flight());
  EXPECT_EQ(network.sent_count(), 1U);
  EXPECT_EQ(network.lost_count(), 0U);
}

TEST_F(NetworkTest, MessagesOfALinkNeverOvertakeEachOtherWhateverTheJitter) {
  world.reset(5);
  restart(Latency{.least = 1ms, .jitter_step = 1ms, .jitter_steps = 50});
  for (int number = 0; number < 100; ++number) {
    send_at(number * 1ms, std::to_string(1000 + number));
  }
  world.run({.true_time = 10s});
  ASSERT_EQ(world.log.size(), 100U);
  EXPECT_TRUE(std::is_sorted(world.log.begin(), world.log.end()));
}

TEST_F(NetworkTest, JitterStaysWithinItsBoundsAndVaries) {
  restart(Latency{.least = 10ms, .jitter_step = 1ms, .jitter_steps = 4});
  std::vector<Duration> travelled;
  for (int number = 0; number < 50; ++number) {
    world.at(number * 100ms, [this, &travelled] {
      const Duration sent = world.kernel.now();
      send("x").on_arrival = [this, sent, &travelled] { travelled.push_back(world.kernel.now() - sent); };
    });
  }
  world.run({.true_time = 10s});
  ASSERT_EQ(travelled.size(), 50U);
  EXPECT_EQ(*std::min_element(travelled.begin(), travelled.end()), 10ms);
  EXPECT_EQ(*std::max_element(travelled.begin(), travelled.end()), 13ms);
}

TEST_F(NetworkTest, AHeldLinkDeliversEverythingInOrderWhenItIsLetGo) {
  send("in flight");
  network.hold(world.a, world.b);
  send_at(20ms, "sent meanwhile");
  world.at(50ms, [&] { network.let_go(world.a, world.b); });
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("in flight 50", "sent meanwhile 50"));
  EXPECT_EQ(network.lost_count(), 0U);
}

TEST_F(NetworkTest, WhatArrivesAsALinkIsLetGoStaysBehindWhatWasHeld) {
  network.hold(world.a, world.b);
  send("first");
  world.at(50ms, [&] { network.let_go(world.a, world.b); });
  send_at(40ms, "second");  // arrives at 50 ms as well
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("first 50", "second 50"));
}

TEST_F(NetworkTest, WhatIsSentAgainArrivesOnceTheCutIsMendedIfItIsStillWanted) {
  send("in flight").sent_again = true;
  send("lost");
  network.cut(world.a, world.b);
  world.at(20ms, [&] {
    letters.emplace_back(world, "sent meanwhile").sent_again = true;
    network.send(world.a, world.b, letters.back());
    letters.emplace_back(world, "of no use by then").sent_again = true;
    network.send(world.a, world.b, letters.back());
  });
  world.at(50ms, [&] {
    letters.back().sent_again = false;
    network.mend(world.a, world.b);
  });
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("in flight 60", "sent meanwhile 60"));
  EXPECT_FALSE(letters.back().is_kept());
}

TEST_F(NetworkTest, WhatIsSentAgainOutlivesACutThatIsMendedBeforeItWouldHaveArrived) {
  send("in flight").sent_again = true;
  world.at(5ms, [&] { network.reset_connections(world.a, world.b); });
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("in flight 20"));
}

TEST_F(NetworkTest, HoldsNest) {
  send("patient");
  network.hold(world.a, world.b);
  network.hold(world.a, world.b);
  world.at(30ms, [&] { network.let_go(world.a, world.b); });
  world.at(50ms, [&] { network.let_go(world.a, world.b); });
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("patient 50"));
}

TEST_F(NetworkTest, AHeldMessageMeetsAPauseThatAnEarlierOneCausedInTurn) {
  network.hold(world.a, world.b);
  send("first").on_arrival = [&] { world.kernel.pause(world.b); };
  send("second");
  world.at(20ms, [&] { network.let_go(world.a, world.b); });
  world.at(90ms, [&] { world.kernel.resume(world.b); });
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("first 20", "second 90"));
}

TEST_F(NetworkTest, ACutLosesWhatIsInFlightAndWhatIsSentMeanwhileButNotLater) {
  const Note& flying = send("in flight");
  world.at(5ms, [&] { network.cut(world.a, world.b); });
  send_at(20ms, "sent meanwhile");
  world.at(30ms, [&] { network.mend(world.a, world.b); });
  send_at(40ms, "sent after");
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("sent after 50"));
  EXPECT_EQ(network.lost_count(), 2U);
  EXPECT_FALSE(flying.in_flight());
  EXPECT_FALSE(letters[1].in_flight());
}

TEST_F(NetworkTest, ACutIsOfOneDirection) {
  network.cut(world.b, world.a);
  send("other way");
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("other way 10"));
}

TEST_F(NetworkTest, ACutLosesWhatWasHeld) {
  network.hold(world.a, world.b);
  const Note& held = send("held");
  world.at(20ms, [&] { network.cut(world.a, world.b); });
  world.at(30ms, [&] {
    network.mend(world.a, world.b);
    network.let_go(world.a, world.b);
  });
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, IsEmpty());
  EXPECT_FALSE(held.in_flight());
}

TEST_F(NetworkTest, AResetLosesWhatIsInFlightBothWaysTellsOnceAndLeavesTheLinkOpen) {
  send("in flight");
  Note answer(world, "answer");
  network.send(world.b, world.a, answer);
  world.at(5ms, [&] { network.reset_connections(world.a, world.b); });
  send_at(6ms, "after");
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("after 16"));
  EXPECT_THAT(resets, ElementsAre(std::pair(world.a, world.b)));
  EXPECT_EQ(network.lost_count(), 2U);
}

TEST_F(NetworkTest, LoseNextTakesExactlyOneMessage) {
  network.lose_next(world.a, world.b);
  const Note& lost = send("lost");
  send("kept");
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("kept 10"));
  EXPECT_FALSE(lost.in_flight());
}

TEST_F(NetworkTest, BreakNextLosesOneMessageWithAllThatIsOnItsConnection) {
  send("on another", 2);
  send("on its own", 1);
  network.break_next(world.a, world.b, Breaking::its_connection);
  const Note& lost = send("lost", 1);
  send("after", 1);
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("on another 10", "after 10"));
  EXPECT_THAT(broken, ElementsAre(1U));
  EXPECT_THAT(resets, IsEmpty());
  EXPECT_FALSE(lost.in_flight());
}

TEST_F(NetworkTest, BreakNextLosesOneMessageWithAllThatIsUnderWayBetweenTheTwo) {
  send("on another", 2);
  network.break_next(world.a, world.b, Breaking::all_connections);
  send("lost", 1);
  send("after", 1);
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("after 10"));
  EXPECT_THAT(broken, IsEmpty());
  EXPECT_THAT(resets, ElementsAre(std::pair(world.a, world.b)));
}

TEST_F(NetworkTest, WithoutConnectionsBreakNextBreaksAllThereIs) {
  send("in flight");
  network.break_next(world.a, world.b, Breaking::its_connection);
  send("lost");
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, IsEmpty());
  EXPECT_THAT(resets, ElementsAre(std::pair(world.a, world.b)));
}

TEST_F(NetworkTest, DelayNextHoldsBackOneMessageWhichTheOthersOvertake) {
  network.delay_next(world.a, world.b, 50ms);
  send("delayed");
  send("punctual");
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("punctual 10", "delayed 60"));
}

TEST_F(NetworkTest, AddedLatencyIsTakenAwayAgainWithoutBreakingTheOrder) {
  network.add_latency(world.a, world.b, 100ms);
  send("slow");
  world.at(5ms, [&] { network.add_latency(world.a, world.b, -100ms); });
  send_at(6ms, "behind it");
  send_at(200ms, "fast again");
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("slow 110", "behind it 110", "fast again 210"));
}

TEST_F(NetworkTest, ADeadDestinationBounces) {
  const Note& letter = send("late");
  world.at(5ms, [&] { world.kernel.crash(world.b); });
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("late bounced 10"));
  EXPECT_FALSE(letter.in_flight());
}

TEST_F(NetworkTest, ARestartedDestinationBouncesWhatWasMeantForTheOldOne) {
  send("for the old one");
  world.at(5ms, [&] { world.kernel.crash(world.b); });
  world.at(6ms, [&] { world.kernel.restart(world.b); });
  send_at(7ms, "for the new one");
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("for the old one bounced 10", "for the new one 17"));
}

TEST_F(NetworkTest, APausedDestinationGetsItsMessagesInOrderWhenItResumes) {
  send("first");
  send_at(3ms, "second");
  world.at(1ms, [&] { world.kernel.pause(world.b); });
  world.at(70ms, [&] { world.kernel.resume(world.b); });
  send_at(60ms, "third");  // arrives at the instant of resuming
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("first 70", "second 70", "third 70"));
}

TEST_F(NetworkTest, ACutReachesWhatWaitsForAPausedDestination) {
  send("waiting");
  world.at(1ms, [&] { world.kernel.pause(world.b); });
  world.at(40ms, [&] { network.cut(world.a, world.b); });
  world.at(70ms, [&] { world.kernel.resume(world.b); });
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, IsEmpty());
}

TEST_F(NetworkTest, DroppingEverythingReleasesWhatIsInFlight) {
  const Note& flying = send("flying");
  network.drop_everything();
  EXPECT_FALSE(flying.in_flight());
}

TEST_F(NetworkTest, AConnectionBreaksByItself) {
  send("one", 1);
  send("other", 2);
  send("none");
  world.at(5ms, [&] { network.reset_connection(1, world.b, world.a); });
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("other 10", "none 10"));
  EXPECT_THAT(broken, ElementsAre(1U));
  EXPECT_TRUE(resets.empty());
  EXPECT_EQ(network.lost_count(), 1U);
}

TEST_F(NetworkTest, WhatIsHeldIsLostWithItsConnection) {
  network.hold(world.a, world.b);
  const Note& lost = send("one", 1);
  send("other", 2);
  world.at(20ms, [&] { network.reset_connection(1, world.a, world.b); });
  world.at(30ms, [&] { network.let_go(world.a, world.b); });
  world.run({.true_time = 1s});
  EXPECT_THAT(world.log, ElementsAre("other 30"));
  EXPECT_FALSE(lost.in_flight());
}

}  // namespace
}  // namespace holdfast
