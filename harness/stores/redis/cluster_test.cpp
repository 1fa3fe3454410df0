// Several servers over the kernel's network: replication, failover, WAIT, restart and published messages.
// Messages take 1 ms; what a primary tells its replica takes 100 ms more.
#include "harness/stores/redis/cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "harness/kernel/test_kernel.h"
#include "harness/stores/redis/model/model_nodes.h"
#include "harness/stores/redis/network_client.h"

namespace holdfast::redis {
namespace {

using ::testing::ElementsAre;

class ClusterTest : public ::testing::Test {
 protected:
  ~ClusterTest() override {
    world.kernel.stop();
    clients.clear();
    network.drop_everything();
  }

  void begin(const Topology& topology) {
    cluster.add_processes_of(topology);
    network.reset(Latency{.least = 1ms, .jitter_step = 0ns, .jitter_steps = 1});
    steps.reset(world.kernel.process_count());
    cluster.start();
    for (int number = 0; number < 2; ++number) {
      clients.push_back(std::make_unique<NetworkClient>(number == 0 ? env_a : env_b, cluster, 0, 500ms));
    }
  }
  ProcessId process(const std::string& name) {
    for (std::size_t index = 1; index < world.kernel.process_count(); ++index) {
      if (world.kernel.process(static_cast<ProcessId>(index)).name == name) {
        return static_cast<ProcessId>(index);
      }
    }
    ADD_FAILURE() << "no process " << name;
    return world_process;
  }
  Task<> say(Client& client, Command command) {
    const Answer answer = co_await client.execute(std::move(command));
    world.note(answer.failed() ? answer.problem() : to_text(answer.reply));
  }
  template <typename... Words>
  void at(Duration time, std::size_t client, const Words&... words) {
    world.at(time, [this, client, command = make_command(words...)] {
      world.kernel.spawn(client == 0 ? world.a : world.b, say(*clients[client], command));
    });
  }
  void run_until(Duration end) {
    world.kernel.hold_open();
    world.run({.true_time = end});
  }

  TestKernel world;
  Steps steps;
  ModelNodes models;
  Network network{world.kernel};
  Cluster cluster{{world.kernel, network, steps}, models};
  Env env_a{world.kernel, steps, world.a, 1};
  Env env_b{world.kernel, steps, world.b, 1};
  std::vector<std::unique_ptr<NetworkClient>> clients;
};

constexpr Topology one_replica{.servers = 1, .replicas = 1, .replication_lag = 100ms};

TEST_F(ClusterTest, NamesItsProcessesAndKnowsTheirServer) {
  begin({.servers = 2, .replicas = 1});
  EXPECT_EQ(world.kernel.process(cluster.serving(1)).name, "redis-2");
  EXPECT_THAT(cluster.members(0), ElementsAre(process("redis-1"), process("redis-1-b")));
  EXPECT_TRUE(cluster.can(ServerAction::failover, 0));
}

TEST_F(ClusterTest, AWriteIsReadBack) {
  begin({.servers = 1});
  at(0ms, 0, "SET", "k", "v");
  at(10ms, 1, "GET", "k");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("OK 2", "\"v\" 12"));
}

TEST_F(ClusterTest, AFailoverKeepsWhatWasReplicated) {
  begin(one_replica);
  at(0ms, 0, "SET", "k", "v");
  world.at(150ms, [&] { cluster.failover(0); });
  at(200ms, 1, "GET", "k");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("OK 2", "\"v\" 202"));
  EXPECT_EQ(cluster.serving(0), process("redis-b"));
  EXPECT_FALSE(world.kernel.process(process("redis")).alive);
}

TEST_F(ClusterTest, AFailoverLosesWhatWasAcknowledgedButNotReplicated) {
  begin(one_replica);
  at(0ms, 0, "SET", "k", "v");
  world.at(50ms, [&] { cluster.failover(0); });
  at(200ms, 1, "GET", "k");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("OK 2", "(nil) 202"));
}

TEST_F(ClusterTest, AClientKnowsHowManyReplicasThereAre) {
  begin({.servers = 1, .replicas = 2, .replication_lag = 100ms});
  const auto tell = [](TestKernel& told, Client& client) -> Task<> {
    const std::int64_t replicas = co_await client.replicas();
    told.note(std::to_string(replicas));
  };
  for (const Duration time : {0ms, 60ms, 120ms}) {
    world.at(time, [&] { world.kernel.spawn(world.a, tell(world, *clients[0])); });
  }
  world.at(50ms, [&] { world.kernel.crash(process("redis-b")); });
  world.at(100ms, [&] { cluster.failover(0); });
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("2 0", "1 60", "0 120"));
}

TEST_F(ClusterTest, AFailoverBreaksTheConnectionsOfThoseWhoWait) {
  begin(one_replica);
  at(0ms, 0, "SET", "k", "v");
  world.at(1500us, [&] { cluster.failover(0); });
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("connection reset 1"));
}

TEST_F(ClusterTest, ASecondReplicaFollowsTheNewPrimary) {
  begin({.servers = 1, .replicas = 2, .replication_lag = 100ms});
  at(0ms, 0, "SET", "k", "old");
  world.at(150ms, [&] { cluster.failover(0); });
  at(200ms, 0, "SET", "k", "new");
  world.at(400ms, [&] { cluster.failover(0); });
  at(450ms, 0, "GET", "k");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("OK 2", "OK 202", "\"new\" 452"));
  EXPECT_EQ(cluster.serving(0), process("redis-c"));
}

TEST_F(ClusterTest, AFailoverWithoutAReplicaDoesNothing) {
  begin({.servers = 1});
  EXPECT_FALSE(cluster.can(ServerAction::failover, 0));
  cluster.failover(0);
  at(0ms, 0, "SET", "k", "v");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("OK 2"));
}

TEST_F(ClusterTest, AReplicaThatDiedDoesNotTakeOver) {
  begin({.servers = 1, .replicas = 2, .replication_lag = 100ms});
  at(0ms, 0, "SET", "k", "v");
  world.at(150ms, [&] { world.kernel.crash(process("redis-b")); });
  world.at(200ms, [&] { cluster.failover(0); });
  at(250ms, 0, "GET", "k");
  world.at(300ms, [&] { world.kernel.restart(process("redis-b")); });
  world.at(350ms, [&] { world.kernel.crash(process("redis-b")); });
  world.at(400ms, [&] {
    EXPECT_FALSE(cluster.can(ServerAction::failover, 0));
    cluster.failover(0);
  });
  at(450ms, 0, "GET", "k");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("OK 2", "\"v\" 252", "\"v\" 452"));
  EXPECT_EQ(cluster.serving(0), process("redis-c"));
}

TEST_F(ClusterTest, WaitAnswersAsSoonAsEnoughReplicasHaveIt) {
  begin(one_replica);
  at(0ms, 0, "SET", "k", "v");
  at(10ms, 0, "WAIT", 1, 400);
  run_until(1s);
  // There at 11, the replica is asked by 112, its answer is back by 113 and the client's by 114.
  EXPECT_THAT(world.log, ElementsAre("OK 2", "1 114"));
}

TEST_F(ClusterTest, WaitAnswersAtItsTimeoutHowManyThereAre) {
  begin(one_replica);
  at(0ms, 0, "SET", "k", "v");
  at(10ms, 0, "WAIT", 2, 300);
  at(10ms, 1, "WAIT", 1, 0);
  run_until(1s);
  // The second waits for as long as it takes; the first is answered in the first millisecond after 11 + 300.
  EXPECT_THAT(world.log, ElementsAre("OK 2", "1 114", "1 313"));
}

TEST_F(ClusterTest, WaitIsForWhatWasWrittenWhenItsConnectionSpokeLastWhoeverWroteIt) {
  begin(one_replica);
  network.cut(cluster.serving(0), process("redis-b"));
  at(0ms, 1, "GET", "k");
  at(5ms, 0, "SET", "k", "v");
  at(10ms, 0, "WAIT", 1, 50);
  at(10ms, 1, "WAIT", 1, 50);
  at(20ms, 1, "GET", "k");
  at(30ms, 1, "WAIT", 1, 50);
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("(nil) 2", "OK 7", "1 12", "\"v\" 22", "0 63", "0 83"));
}

TEST_F(ClusterTest, ANewConnectionHasJustSaidHello) {
  begin(one_replica);
  network.cut(cluster.serving(0), process("redis-b"));
  at(0ms, 0, "SET", "k", "v");
  world.at(5ms, [&] { network.reset_connections(world.a, cluster.serving(0)); });
  at(10ms, 0, "WAIT", 1, 50);
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("OK 2", "0 63"));
}

TEST_F(ClusterTest, AReplicaThatDiedIsNotCounted) {
  begin(one_replica);
  at(0ms, 0, "SET", "k", "v");
  at(10ms, 0, "WAIT", 1, 0);
  world.at(200ms, [&] { world.kernel.crash(process("redis-b")); });
  at(300ms, 0, "WAIT", 1, 50);
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("OK 2", "1 114", "0 353"));
}

TEST_F(ClusterTest, WhatIsSaidBehindAWaitIsAnsweredAfterIt) {
  begin(one_replica);
  at(0ms, 0, "SET", "k", "v");
  at(10ms, 0, "WAIT", 2, 200);
  at(20ms, 0, "GET", "k");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("OK 2", "1 213", "\"v\" 213"));
}

TEST_F(ClusterTest, AWaitThatItsClientGaveUpIsForgottenWithItsConnection) {
  begin(one_replica);
  at(0ms, 0, "SET", "k", "v");
  at(10ms, 0, "WAIT", 2, 0);
  at(600ms, 0, "GET", "k");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("OK 2", "timed out 510", "\"v\" 602"));
}

TEST_F(ClusterTest, AWaitIsOverWhenTheServersClockSaysSo) {
  begin(one_replica);
  at(10ms, 0, "WAIT", 2, 400);
  world.at(50ms, [&] { world.kernel.jump_clock(process("redis"), ClockKind::wall, 1s); });
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("1 51"));
}

TEST_F(ClusterTest, AWaitThatWasDueInAPauseGoesOnIfTheClockWasSetBackMeanwhile) {
  begin(one_replica);
  at(10ms, 0, "WAIT", 2, 100);
  world.at(50ms, [&] { world.kernel.pause(process("redis")); });
  world.at(150ms, [&] { world.kernel.jump_clock(process("redis"), ClockKind::wall, -200ms); });
  world.at(200ms, [&] { world.kernel.resume(process("redis")); });
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("1 313"));
}

TEST_F(ClusterTest, AWaitIsNotOverInTheMillisecondOfItsTimeout) {
  begin(one_replica);
  at(10ms, 0, "WAIT", 2, 100);
  at(110200us, 1, "GET", "k");  // there at 111.2, and the wait began at 11
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("(nil) 112", "1 113"));
}

TEST_F(ClusterTest, OneConnectionOfAClientBreaksAlone) {
  begin({.servers = 1});
  const auto commands = connection_at(0, 0);  // the first client's first
  at(0ms, 0, "GET", "k");
  at(0ms, 1, "GET", "k");
  world.at(500us, [&] { network.reset_connection(commands, world.a, cluster.serving(0)); });
  at(10ms, 0, "GET", "k");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("connection reset 0", "(nil) 2", "(nil) 12"));
}

TEST_F(ClusterTest, AWaitDiesWithItsServer) {
  begin(one_replica);
  at(0ms, 0, "SET", "k", "v");
  at(10ms, 0, "WAIT", 1, 400);
  world.at(50ms, [&] { world.kernel.crash(process("redis")); });
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("OK 2", "connection reset 50"));
}

TEST_F(ClusterTest, TwoServersAreIndependent) {
  begin({.servers = 2});
  NetworkClient second(env_a, cluster, 1, 500ms);
  at(0ms, 0, "SET", "k", "v");
  world.at(10ms, [&] { world.kernel.spawn(world.a, say(second, make_command("GET", "k"))); });
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("OK 2", "(nil) 12"));
  world.kernel.stop();
}

TEST_F(ClusterTest, WhoeverGoesIsGoneFromEveryServer) {
  begin({.servers = 2});
  auto listener = std::make_unique<NetworkClient>(env_a, cluster, 1, 500ms);
  std::optional<Mailbox> news;
  news.emplace(env_a, *listener);
  NetworkClient speaker(env_b, cluster, 1, 500ms);
  const auto listen = [&]() -> Task<> { co_await listener->subscribe("news", *news); };
  world.kernel.spawn(world.a, listen());
  const auto publish = [&] {
    world.kernel.spawn(world.b, say(speaker, make_command("PUBLISH", "news", "x")));
  };
  world.at(10ms, publish);
  world.at(20ms, [&] {
    news.reset();
    listener.reset();
  });
  world.at(30ms, publish);
  world.at(40ms, [&] { network.reset_connections(world.a, cluster.serving(1)); });
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("1 12", "0 32"));
  world.kernel.stop();
}

TEST_F(ClusterTest, ADeadServerRefusesUntilItIsBack) {
  begin({.servers = 1, .append_only = AppendOnly::always});
  at(0ms, 0, "SET", "k", "v");
  world.at(10ms, [&] { world.kernel.crash(process("redis")); });
  at(20ms, 0, "GET", "k");
  world.at(30ms, [&] { world.kernel.restart(process("redis")); });
  at(40ms, 0, "GET", "k");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("OK 2", "connection refused 21", "\"v\" 42"));
}

class RestartTest : public ClusterTest,
                    public ::testing::WithParamInterface<std::pair<AppendOnly, std::string>> {};

TEST_P(RestartTest, KeepsWhatItsPolicyHadSynced) {
  begin({.servers = 1, .append_only = GetParam().first});
  at(500ms, 0, "SET", "early", "v");  // synced at the next whole second
  at(1500ms, 0, "SET", "late", "v");  // not yet when the server dies
  world.at(1700ms, [&] { world.kernel.crash(process("redis")); });
  world.at(1800ms, [&] { world.kernel.restart(process("redis")); });
  at(2s, 0, "EXISTS", "early");
  at(2100ms, 0, "EXISTS", "late");
  run_until(3s);
  ASSERT_EQ(world.log.size(), 4U);
  EXPECT_EQ(world.log[2].substr(0, 1) + world.log[3].substr(0, 1), GetParam().second);
}

INSTANTIATE_TEST_SUITE_P(Policies, RestartTest,
                         ::testing::Values(std::pair(AppendOnly::never, "00"),
                                           std::pair(AppendOnly::every_second, "10"),
                                           std::pair(AppendOnly::always, "11")));

class PublishTest : public ClusterTest {
 protected:
  PublishTest() {
    begin({.servers = 1});
    mailbox.emplace(env_a, *clients[0]);
  }
  Task<> listen() {
    const Answer subscribed = co_await clients[0]->subscribe("news", *mailbox);
    world.note(subscribed.threw() ? subscribed.problem() : "subscribed");
    while (true) {
      co_await mailbox->arrival();
      world.note("heard " + mailbox->take());
    }
  }
  Task<> listen_once() {
    co_await clients[0]->subscribe("news", *mailbox);
    co_await clients[0]->unsubscribe("news", *mailbox);
  }
  ~PublishTest() override {
    world.kernel.stop();
    mailbox.reset();
  }

  std::optional<Mailbox> mailbox;
};

TEST_F(PublishTest, ASubscriberHearsWhatIsPublished) {
  world.kernel.spawn(world.a, listen());
  at(10ms, 1, "PUBLISH", "news", "x");
  at(20ms, 1, "PUBLISH", "other", "x");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("subscribed 2", "1 12", "heard x 12", "0 22"));
}

TEST_F(PublishTest, AMessageInFlightIsLostToAResetAndTheClientSubscribesAgain) {
  world.kernel.spawn(world.a, listen());
  at(10ms, 1, "PUBLISH", "news", "lost");
  world.at(11500us, [&] { network.reset_connections(world.a, cluster.serving(0)); });
  at(15ms, 1, "PUBLISH", "news", "nobody is there");
  at(100ms, 1, "PUBLISH", "news", "again");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("subscribed 2", "1 12", "0 17", "1 102", "heard again 102"));
}

// It goes over the new connection: over the old one it would be answered, and be forgotten at once.
TEST_F(PublishTest, ASubscriptionThatIsAboutToBeSentWhenTheConnectionBreaksIsGoodFromItsAnswerOn) {
  class ResetsWhoSubscribes final : public StepObserver {
   public:
    explicit ResetsWhoSubscribes(std::function<void()> reset) : reset_(std::move(reset)) {}
    void on_step(const Step& step) override {
      if (reset_ && step.phase == Phase::sending && step.name == "SUBSCRIBE") {
        std::exchange(reset_, nullptr)();
      }
    }

   private:
    std::function<void()> reset_;
  } observer([&] { network.reset_connections(world.a, cluster.serving(0)); });
  steps.observe(observer);
  world.kernel.spawn(world.a, listen());
  at(5ms, 1, "PUBLISH", "news", "soon");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("subscribed 2", "1 7", "heard soon 7"));
}

TEST_F(ClusterTest, ASubscriberStillHearsWhenAReplicaDiesOrAnotherServerIsLost) {
  begin({.servers = 2, .replicas = 1});
  Mailbox mailbox(env_a, *clients[0]);
  const auto listen = [&]() -> Task<> {
    co_await clients[0]->subscribe("news", mailbox);
    co_await mailbox.arrival();
    world.note("heard");
    co_await mailbox.arrival();
    world.note("heard");
  };
  world.kernel.spawn(world.a, listen());
  world.at(10ms, [&] { world.kernel.crash(process("redis-1-b")); });
  at(20ms, 1, "PUBLISH", "news", "x");
  world.at(30ms, [&] { network.reset_connections(world.a, cluster.serving(1)); });
  at(40ms, 1, "PUBLISH", "news", "x");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("1 22", "heard 22", "1 42", "heard 42"));
  world.kernel.stop();
}

TEST_F(PublishTest, AfterUnsubscribingNothingIsHeard) {
  world.kernel.spawn(world.a, listen_once());
  at(10ms, 1, "PUBLISH", "news", "x");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("0 12"));
  EXPECT_TRUE(mailbox->is_empty());
}

TEST_F(PublishTest, AForgottenListenerIsNeverTouchedAgain) {
  const auto subscribe = [](Client& client, Mailbox& messages) -> Task<> {
    co_await client.subscribe("news", messages);
  };
  world.kernel.spawn(world.a, subscribe(*clients[0], *mailbox));
  world.at(10ms, [&] { mailbox.reset(); });
  at(20ms, 1, "PUBLISH", "news", "x");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("1 22"));
}

TEST_F(PublishTest, ASubscriptionEndsWithItsClient) {
  world.kernel.spawn(world.a, listen());
  world.at(10ms, [&] { world.kernel.crash(world.a); });
  world.at(11ms, [&] {
    mailbox.reset();
    clients[0].reset();
  });
  at(30ms, 1, "PUBLISH", "news", "x");
  run_until(1s);
  EXPECT_THAT(world.log, ElementsAre("subscribed 2", "0 32"));
}

TEST(RequestText, ShortensScriptsAndKeepsCommands) {
  EXPECT_EQ(to_text(Request{make_command("SET", "k", "v", "NX"), 1}), "SET k v NX");
  const std::string script = "\n  local x = redis.call('GET', KEYS[1])\nreturn x\n";
  EXPECT_EQ(to_text(Request{make_command("EVAL", script, 1, "k"), 1}),
            "EVAL local x = redis.call('GET', KEYS[1])… 1 k");
  EXPECT_EQ(to_text(Request{make_command("SET", "k", ""), 1}), "SET k ''");
  EXPECT_EQ(call_name(Request{make_command("GET", "k"), 1}), "GET");
  EXPECT_EQ(call_name(Request{{}, 1}), "(empty)");
}

}  // namespace
}  // namespace holdfast::redis
