// The model against real servers that replicate: random commands, WAIT above all, while what primary and
// replica tell each other is delivered sooner or later, links break, servers die and clocks move.
//
// HOLDFAST_WARP_WAITS chooses how many conversations.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <functional>
#include <string>

#include "harness/kernel/test_volume.h"
#include "harness/stores/redis/model/model_nodes.h"
#include "harness/stores/redis/server/real_nodes.h"
#include "harness/stores/redis/test_trio.h"

namespace holdfast::live {
namespace warp_wait_test {

using namespace redis::test_trio;

// What must be so of models and of real servers alike.
void with_both(const std::function<void(redis::NodeMaker&)>& expect) {
  redis::ModelNodes models;
  RealNodes servers;
  expect(models);
  expect(servers);
}

// Of those that have received the same the first takes over, not the one that was asked.
TEST(WarpWait, AReplicaThatIsAskedHasReceivedNoMoreForIt) {
  with_both([](redis::NodeMaker& maker) {
    Trio trio(maker, redis::AppendOnly::never);
    trio.say(redis::make_command("SET", "k", 1), 1);
    trio.deliver(1);
    trio.deliver(2);
    const std::string said = trio.say_to_replica(2, redis::make_command("WAIT", 0, 100));
    EXPECT_NE(said.find("WAIT cannot be used with replica instances"), std::string::npos) << said;
    EXPECT_EQ(trio.failover(), "1 takes over");
  });
}

// The question of its primary is part of the stream: who has heard it has received more, though it has
// carried out no more, and though its primary has written more since.
TEST(WarpWait, AReplicaThatHeardAQuestionHasReceivedMoreThanOneThatDidNot) {
  with_both([](redis::NodeMaker& maker) {
    Trio trio(maker, redis::AppendOnly::never);
    trio.say(redis::make_command("SET", "k", 1), 1);
    trio.say(redis::make_command("WAIT", 1, 0), 1);
    trio.say(redis::make_command("SET", "k", 2), 2);
    trio.deliver(1);
    trio.deliver(2);
    trio.deliver(2);
    EXPECT_EQ(trio.failover(), "2 takes over");
  });
}

// What a replica had received is gone when it restarts, or at least it does not know any more how much it
// was: it stands behind one that has received anything, and its clients are refused as before.
TEST(WarpWait, AReplicaThatRestartedStandsBehindOneThatDidNot) {
  with_both([](redis::NodeMaker& maker) {
    for (const redis::AppendOnly append_only : {redis::AppendOnly::never, redis::AppendOnly::always}) {
      for (const bool other_received : {false, true}) {
        Trio trio(maker, append_only);
        trio.say(redis::make_command("SET", "k", 1), 1);
        if (other_received) {
          trio.deliver(2);
        }
        trio.deliver(1);
        trio.restart(1);
        const std::string said = trio.say_to_replica(1, redis::make_command("WAIT", 0, 100));
        EXPECT_NE(said.find("WAIT cannot be used with replica instances"), std::string::npos) << said;
        EXPECT_EQ(trio.failover(), other_received ? "2 takes over" : "1 takes over");
      }
    }
  });
}

// However old the news that made it connect, and those that it hears next.
TEST(WarpWait, AReplicaThatConnectsAgainHasReceivedMoreThanOneThatMissedALittle) {
  with_both([](redis::NodeMaker& maker) {
    Trio trio(maker, redis::AppendOnly::never);
    trio.lose(2);
    for (int number = 0; number < 4; ++number) {
      trio.say(redis::make_command("SET", "k", number), 1);
    }
    trio.deliver(2);
    trio.deliver(2);
    for (int number = 0; number < 3; ++number) {
      trio.deliver(1);
    }
    EXPECT_EQ(trio.failover(), "2 takes over");
  });
}

// A replica that connects again has all there is, which nobody is told in so many words: whoever waited for
// it is answered with the next thing that the primary says.
class WhatIsDue {
 public:
  explicit WhatIsDue(redis::NodeMaker& maker) : trio(maker, redis::AppendOnly::never) {
    trio.say(redis::make_command("SET", "k", 1), 1);
    EXPECT_EQ(trio.say(redis::make_command("WAIT", 2, 0), 1), "1 says WAIT 2 0: waits | tells 1 | tells 2");
    while (trio.deliver(2) != "nothing" || trio.deliver(0) != "nothing") {
    }
    trio.lose(1);
    trio.say(redis::make_command("SET", "k", 2), 2);
    EXPECT_EQ(trio.deliver(1), "1 hears the stream | tells 0");
  }
  Trio trio;
};

TEST(WarpWait, WhoWaitedForAReplicaThatConnectsIsAnsweredWithTheNextThingThatIsSaid) {
  with_both([](redis::NodeMaker& maker) {
    WhatIsDue due(maker);
    EXPECT_EQ(due.trio.say(redis::make_command("GET", "k"), 2), "2 says GET k: \"2\" | 1 is answered 2");
  });
}

// Of a server that restarted nothing has been written in a stream, so a replica is enough that is there.
TEST(WarpWait, WhatWaitedForAReplicaToConnectIsNoPartOfWhatItIsSynchronisedWith) {
  with_both([](redis::NodeMaker& maker) {
    Trio trio(maker, redis::AppendOnly::never);
    trio.restart(0);
    trio.say(redis::make_command("SET", "k", 1), 1);
    trio.say(redis::make_command("WAIT", 1, 0), 1);
    trio.say(redis::make_command("SET", "k", 2), 1);
    EXPECT_EQ(trio.deliver(1), "1 hears the stream | tells 0");
    EXPECT_EQ(trio.say(redis::make_command("GET", "k"), 2),
              "2 says GET k: \"2\" | 1 is answered 1 | 1 is answered OK | tells 1 | tells 2");
  });
}

TEST(WarpWait, WhoLeavesBeforeItsAnswerIsSaidIsNotAnswered) {
  with_both([](redis::NodeMaker& maker) {
    WhatIsDue due(maker);
    due.trio.close(1);
    EXPECT_EQ(due.trio.say(redis::make_command("GET", "k"), 2), "2 says GET k: \"2\"");
  });
}

TEST(WarpWait, AServerThatRestartsOwesNobodyAnAnswer) {
  with_both([](redis::NodeMaker& maker) {
    WhatIsDue due(maker);
    due.trio.restart(0);
    EXPECT_EQ(due.trio.say(redis::make_command("GET", "k"), 2), "2 says GET k: (nil)");
  });
}

TEST(WarpWait, AServerThatRestartsCarriesOutNothingThatWaitedBefore) {
  with_both([](redis::NodeMaker& maker) {
    Trio trio(maker, redis::AppendOnly::always);
    trio.say(redis::make_command("SET", "k", 1), 1);
    trio.say(redis::make_command("WAIT", 1, 0), 1);
    EXPECT_EQ(trio.say(redis::make_command("SET", "k", "late"), 1), "1 says SET k late: waits");
    trio.restart(0);
    EXPECT_EQ(trio.say(redis::make_command("WAIT", 1, 100), 1), "1 says WAIT 1 100: waits");
    trio.advance(std::chrono::seconds(1));
    EXPECT_EQ(trio.say(redis::make_command("GET", "k"), 1), "1 says GET k: \"1\"");
  });
}

TEST(WarpWait, ReplicasAreWaitedForAsTheRealServersDo) {
  constexpr std::size_t steps_of_one = 40;
  const std::size_t conversations =
      how_many({.usual = 150, .thorough = 1500, .sanitized = 20}, "HOLDFAST_WARP_WAITS");
  redis::ModelNodes models;
  RealNodes servers;
  std::size_t waited = 0;
  for (std::size_t conversation = 0; conversation < conversations; ++conversation) {
    const redis::AppendOnly append_only =
        std::array{redis::AppendOnly::never, redis::AppendOnly::always}[conversation % 2];
    Trio model(models, append_only);
    Trio real(servers, append_only);
    Draws draws(conversation);
    std::string so_far;
    for (std::size_t number = 0; number < steps_of_one; ++number) {
      const Draws here = draws;
      const std::string expected = step(real, here);
      ASSERT_EQ(step(model, here), expected) << "conversation " << conversation << " so far:\n" << so_far;
      so_far += expected + "\n";
      waited += expected.find(": waits") != std::string::npos ? 1 : 0;
      draws.skip_a_step();
    }
  }
  EXPECT_GT(waited, conversations);
  std::printf("%zu conversations agree, with %zu commands that waited\n", conversations, waited);
}

}  // namespace warp_wait_test
}  // namespace holdfast::live
