// Every fault, one by one: what it does when it begins, and that its end takes it back.
#include "faults/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "faults/test_faults.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FaultTest : public FaultsTest {};

TEST(FaultCatalog, IdsAreUniqueFoundAndDescribed) {
  std::set<std::string_view> ids;
  for (const FaultEntry& entry : all_faults()) {
    EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
    EXPECT_EQ(find_fault(entry.id), &entry);
    EXPECT_FALSE(entry.summary.empty()) << entry.id;
    EXPECT_FALSE(entry.phases.empty()) << entry.id;
    EXPECT_TRUE(entry.strikes_clients || entry.strikes_servers) << entry.id;
    EXPECT_NE(entry.begin, nullptr) << entry.id;
    EXPECT_NE(entry.describe, nullptr) << entry.id;
  }
  EXPECT_EQ(find_fault("meteor"), nullptr);
}

TEST(FaultCatalog, RowsSayWhatMayBeSaidAndWhatIsUsual) {
  for (const FaultEntry& entry : all_faults()) {
    EXPECT_EQ(entry.end != nullptr, entry.lasting != Lasting::at_once) << entry.id;
    std::set<std::string_view> names{"fault", "on", "at", "for", "until"};
    for (const Option& option : entry.options) {
      const std::string where = std::string(entry.id) + "." + std::string(option.name);
      EXPECT_TRUE(names.insert(option.name).second) << where;
      EXPECT_FALSE(option.meaning.empty()) << where;
      const bool has_words = option.kind == OptionKind::word || option.kind == OptionKind::processes;
      EXPECT_EQ(has_words, !option.words.empty()) << where;
      EXPECT_EQ(has_words, !option.what.empty()) << where;
      if (has_words && !option.is_required) {
        EXPECT_EQ(std::ranges::count(option.words, option.usual_word), 1) << where;
      }
      if (option.kind == OptionKind::count && !option.is_required) {
        EXPECT_GE(option.usual_count, option.least) << where;
        EXPECT_LE(option.usual_count, option.most) << where;
      }
      if (option.is_required) {  // the usual means that it was not said
        EXPECT_EQ(option.usual_count, 0) << where;
        EXPECT_EQ(option.usual_word, "") << where;
        EXPECT_EQ(option.usual_duration, ScenarioDuration{}) << where;
      }
    }
  }
}

TEST(FaultWords, SayADurationTheShortestExactWay) {
  EXPECT_EQ(to_text(15s), "15 s");
  EXPECT_EQ(to_text(1500ms), "1.5 s");
  EXPECT_EQ(to_text(250ms), "250 ms");
  EXPECT_EQ(to_text(1500us), "1.5 ms");
  EXPECT_EQ(to_text(-30s), "-30 s");
  EXPECT_EQ(to_text(7ns), "7 ns");
  EXPECT_EQ(to_text(0s), "0 s");
}

TEST_F(FaultTest, GcPauseStopsTheProcessAndItsEndLetsItRun) {
  FaultSpec spec = fault("gc-pause", "a");
  spec.lasts = fixed(5s);
  arm({spec});
  point(1s, world.a, "work");
  world.at(3s, [&] { EXPECT_FALSE(world.kernel.runs(world.a)); });
  run_until(10s);
  EXPECT_TRUE(world.kernel.runs(world.a));
}

TEST_F(FaultTest, CrashKillsTheProcess) {
  arm({fault("crash", "a")});
  point(1s, world.a, "work");
  run_until(10s);
  EXPECT_FALSE(world.kernel.process(world.a).alive);
  EXPECT_THAT(events(), ElementsAre("fault-begin a crashes @1000"));
}

TEST_F(FaultTest, CrashOfAThreadLeavesTheProcessAndTheOtherThread) {
  world.kernel.spawn(world.a, sleep_for_ever(world, world.a, "first gone"));
  world.kernel.spawn(world.a, sleep_for_ever(world, world.a, "second gone"));
  FaultSpec spec = fault("crash", "a");
  set_option(spec, "thread", 2);
  arm({spec});
  point(1s, world.a, "work");
  run_until(10s);
  EXPECT_TRUE(world.kernel.process(world.a).alive);
  EXPECT_THAT(world.log, ElementsAre("second gone 1000"));
  EXPECT_THAT(events(), ElementsAre("fault-begin a thread 2 dies @1000", "died a:2  @1000"));
}

TEST_F(FaultTest, ThreadCrashKillsTheThreadThatTakesTheStep) {
  world.kernel.spawn(world.a, sleep_for_ever(world, world.a, "first gone"));
  world.kernel.spawn(world.a, sleep_for_ever(world, world.a, "second gone"));
  arm({fault("thread-crash", "a")});
  point(1s, world.a, "start", 1);
  point(2s, world.a, "work", 2);
  run_until(10s);
  EXPECT_TRUE(world.kernel.process(world.a).alive);
  EXPECT_THAT(world.log, ElementsAre("second gone 2000"));
  EXPECT_THAT(events(), ElementsAre("fault-begin a thread 2 dies @2000", "died a:2  @2000"));
}

// What it had sent is executed, as of a process that dies; what it was about to send is not.
TEST_F(FaultTest, ThreadCrashAtACallTakesTheRequestWithItOnlyBeforeItIsSent) {
  for (const Phase phase : {Phase::sending, Phase::applied}) {
    begin(1);
    world.log.clear();
    FaultSpec spec = fault("thread-crash", "a");
    spec.at.name = "SET";
    spec.at.phase = phase;
    arm({spec});
    say(1s, "SET", "k", "v");
    say(2s, "GET", "k");
    run_until(10s);
    EXPECT_THAT(world.log, ElementsAre(phase == Phase::sending ? "(nil) 2002" : "\"v\" 2002"));
    world.kernel.stop();
  }
}

TEST_F(FaultTest, CrashRestartBringsItBackAndKeepsTheRunOpenUntilThen) {
  FaultSpec spec = fault("crash-restart", "a");
  spec.lasts = fixed(5s);
  arm({spec});
  point(1s, world.a, "work");
  world.at(1s, [&] { world.kernel.let_close(); });  // nobody else keeps the run open
  world.at(3s, [&] { EXPECT_FALSE(world.kernel.process(world.a).alive); });
  EXPECT_EQ(world.run({.true_time = 20s}), RunEnd::finished);
  EXPECT_GE(world.kernel.now(), 6s);
  EXPECT_TRUE(world.kernel.process(world.a).alive);
  EXPECT_EQ(world.kernel.process(world.a).incarnation, 1U);
}

TEST_F(FaultTest, PartitionLosesWhatIsSentUntilItHeals) {
  FaultSpec spec = fault("partition", "a");
  spec.lasts = fixed(5s);
  arm({spec});
  point(1s, world.a, "work");
  say(2s, "SET", "k", "v");
  say(7s, "GET", "k");
  run_until(10s);
  EXPECT_THAT(world.log, ElementsAre("timed out 2500", "(nil) 7002"));
}

TEST_F(FaultTest, PartitionThatHoldsDeliversEverythingWhenItHeals) {
  FaultSpec spec = fault("partition", "a");
  spec.lasts = fixed(5s);
  set_option(spec, "messages", "held");
  arm({spec});
  point(1s, world.a, "work");
  say(2s, "SET", "k", "v");
  say(7s, "GET", "k");
  run_until(10s);
  EXPECT_THAT(world.log, ElementsAre("timed out 2500", "\"v\" 7002"));
}

TEST_F(FaultTest, PartitionOneWayLosesOnlyTheReplies) {
  FaultSpec spec = fault("partition", "a");
  spec.lasts = fixed(5s);
  set_option(spec, "direction", "from");
  arm({spec});
  point(1s, world.a, "work");
  say(2s, "SET", "k", "v");
  say(7s, "GET", "k");
  run_until(10s);
  EXPECT_THAT(world.log, ElementsAre("timed out 2500", "\"v\" 7002"));
}

TEST_F(FaultTest, PartitionFromStorageLeavesTheServersAlone) {
  FaultSpec spec = fault("partition", "a");
  spec.lasts = fixed(5s);
  set_option(spec, "peers", "storage");
  arm({spec});
  point(1s, world.a, "work");
  say(2s, "SET", "k", "v");
  run_until(10s);
  EXPECT_THAT(world.log, ElementsAre("OK 2002"));
}

TEST_F(FaultTest, DelayAtACallHoldsBackThatMessageOnly) {
  FaultSpec spec = fault("delay", "a");
  set_option(spec, "by", fixed(200ms));
  spec.at.name = "SET";
  spec.at.phase = Phase::sending;
  arm({spec});
  say(1s, "SET", "k", "v");
  say(1001ms, "GET", "k");
  say(2s, "SET", "k", "w");
  run_until(10s);
  EXPECT_THAT(world.log, ElementsAre("(nil) 1003", "OK 1202", "OK 2002"));
  EXPECT_EQ(history.text(history.events()[0]), "its request is delayed by 200 ms");
}

TEST_F(FaultTest, DelayElsewhereSlowsTheNetworkWhileItLasts) {
  FaultSpec spec = fault("delay", "a");
  set_option(spec, "by", fixed(100ms));
  spec.lasts = fixed(5s);
  arm({spec});
  point(1s, world.a, "work");
  say(2s, "SET", "k", "v");
  say(8s, "SET", "k", "v");
  run_until(10s);
  EXPECT_THAT(world.log, ElementsAre("OK 2202", "OK 8002"));
}

TEST_F(FaultTest, ResetAtACallBreaksItsConnection) {
  FaultSpec spec = fault("reset", "a");
  spec.at.name = "SET";
  spec.at.phase = Phase::applied;
  arm({spec});
  say(1s, "SET", "k", "v");
  say(2s, "GET", "k");
  run_until(10s);
  EXPECT_THAT(world.log, ElementsAre("connection reset 1001", "\"v\" 2002"));
}

TEST_F(FaultTest, ResetAtACallStrikesAllConnectionsOfItsClientOrOnlyThatOfTheCall) {
  for (const std::string connections : {"all", "call"}) {
    begin(1);
    world.log.clear();
    redis::NetworkClient other(*env, cluster, 0, 500ms);
    FaultSpec spec = fault("reset", "a");
    spec.at.name = "SET";
    spec.at.phase = Phase::applied;
    set_option(spec, "connections", connections);
    arm({spec});
    say(1s, "SET", "k", "v");
    world.at(1s, [&] {
      const auto get = [](redis::Client& by, TestKernel& notes) -> Task<> {
        const redis::Answer answer = co_await by.execute(redis::make_command("GET", "k"));
        notes.note(answer.failed() ? answer.problem() : to_text(answer.reply));
      };
      world.kernel.spawn(world.a, get(other, world));
    });
    run_until(10s);
    EXPECT_THAT(world.log, ElementsAre("connection reset 1001",
                                       connections == "all" ? "connection reset 1001" : "\"v\" 1002"))
        << connections;
    world.kernel.stop();
  }
}

TEST_F(FaultTest, ResetAtACallThatIsSentOrArrivesLosesTheRequestAndTellsItsClient) {
  for (const auto& [phase, time] : {std::pair(Phase::sending, 1000), std::pair(Phase::arrived, 1001)}) {
    for (const std::string connections : {"all", "call"}) {
      begin(1);
      world.log.clear();
      FaultSpec spec = fault("reset", "a");
      spec.at.name = "SET";
      spec.at.phase = phase;
      set_option(spec, "connections", connections);
      arm({spec});
      say(1s, "SET", "k", "v");
      say(2s, "GET", "k");
      run_until(10s);
      EXPECT_THAT(world.log, ElementsAre("connection reset " + std::to_string(time), "(nil) 2002"))
          << to_text(phase) << " " << connections;
      EXPECT_EQ(events().size(), 1U);
      world.kernel.stop();
    }
  }
}

TEST_F(FaultTest, ResetAsACallIsSentBreaksWhatElseIsUnderWayOrLeavesItAlone) {
  for (const std::string connections : {"all", "call"}) {
    begin(1);
    world.log.clear();
    redis::NetworkClient other(*env, cluster, 0, 500ms);
    FaultSpec spec = fault("reset", "a");
    spec.at.name = "SET";
    spec.at.phase = Phase::sending;
    set_option(spec, "connections", connections);
    arm({spec});
    world.at(1s, [&] {
      const auto get = [](redis::Client& by, TestKernel& notes) -> Task<> {
        const redis::Answer answer = co_await by.execute(redis::make_command("GET", "k"));
        notes.note(answer.failed() ? answer.problem() : to_text(answer.reply));
      };
      world.kernel.spawn(world.a, get(other, world));
    });
    say(1s, "SET", "k", "v");
    run_until(10s);
    EXPECT_THAT(world.log,
                ::testing::UnorderedElementsAre(
                    "connection reset 1000", connections == "all" ? "connection reset 1000" : "(nil) 1002"))
        << connections;
    world.kernel.stop();
  }
}

TEST_F(FaultTest, LostRequestIsNeverExecutedAndTheConnectionStays) {
  for (const Phase phase : {Phase::sending, Phase::arrived}) {
    begin(1);
    world.log.clear();
    FaultSpec spec = fault("lost-request", "a");
    spec.at.name = "SET";
    spec.at.phase = phase;
    arm({spec});
    say(1s, "SET", "k", "v");
    say(1100ms, "GET", "k");
    say(2s, "SET", "k", "w");
    say(3s, "GET", "k");
    run_until(10s);
    EXPECT_THAT(world.log, ElementsAre("(nil) 1102", "timed out 1500", "OK 2002", "\"w\" 3002"))
        << to_text(phase);
    EXPECT_EQ(history.text(history.events()[0]), "its request is lost");
    EXPECT_NE(world.kernel.marks() & bit_of(Mark::request_lost), 0U);
    world.kernel.stop();
  }
}

TEST_F(FaultTest, WhatStrikesOneMessageOrThreadDoesNotStrikeWhereThereIsNone) {
  FaultSpec request = fault("lost-request", "a");
  FaultSpec reply = fault("lost-reply", "a");
  FaultSpec thread = fault("thread-crash", "b");
  request.at = {};
  request.at.process = "a";
  request.at.ordinal = 3;  // applied
  reply.at = request.at;
  reply.at.ordinal = 1;  // sending
  thread.at.process = "a";
  thread.at.name = "SET";
  arm({request, reply, thread});
  say(1s, "SET", "k", "v");
  run_until(10s);
  EXPECT_THAT(world.log, ElementsAre("OK 1002"));
  EXPECT_THAT(events(), IsEmpty());
  EXPECT_THAT(driver.not_struck(), ElementsAre(0U, 1U, 2U));
}

TEST_F(FaultTest, LostReplyExecutesButDoesNotAnswer) {
  FaultSpec spec = fault("lost-reply", "a");
  spec.at.name = "SET";
  spec.at.phase = Phase::applied;
  arm({spec});
  say(1s, "SET", "k", "v");
  say(2s, "GET", "k");
  run_until(10s);
  EXPECT_THAT(world.log, ElementsAre("timed out 1500", "\"v\" 2002"));
}

TEST_F(FaultTest, ClockJumpMovesOneClockOfOneProcess) {
  FaultSpec spec = fault("clock-jump", "a");
  set_option(spec, "by", fixed(-30s));
  arm({spec});
  point(1s, world.a, "work");
  run_until(10s);
  EXPECT_EQ(ahead(world.a, ClockKind::wall), -30s);
  EXPECT_EQ(ahead(world.a, ClockKind::monotonic), 0s);
  EXPECT_EQ(ahead(redis, ClockKind::wall), 0s);
}

TEST_F(FaultTest, ClockJumpOfBothMovesBoth) {
  FaultSpec spec = fault("clock-jump", "a");
  set_option(spec, "by", fixed(30s));
  set_option(spec, "clock", "both");
  arm({spec});
  point(1s, world.a, "work");
  run_until(10s);
  EXPECT_EQ(ahead(world.a, ClockKind::wall), 30s);
  EXPECT_EQ(ahead(world.a, ClockKind::monotonic), 30s);
}

TEST_F(FaultTest, ClockDriftGainsWhileItLastsAndKeepsWhatItGained) {
  FaultSpec spec = fault("clock-drift", "a");
  set_option(spec, "parts_per_million", 100'000);
  spec.lasts = fixed(5s);
  arm({spec});
  point(1s, world.a, "work");
  world.at(3s, [&] { EXPECT_EQ(ahead(world.a, ClockKind::wall), 200ms); });
  run_until(10s);
  EXPECT_EQ(ahead(world.a, ClockKind::wall), 500ms);
}

TEST_F(FaultTest, ClockStepsGoTheWholeDistanceInSmallSteps) {
  FaultSpec spec = fault("clock-steps", "a");
  set_option(spec, "by", fixed(-1s));
  set_option(spec, "steps", 3);
  set_option(spec, "every", fixed(2s));
  arm({spec});
  point(1s, world.a, "work");
  std::vector<Duration> seen;
  for (const Duration time : {2s, 4s, 6s, 8s}) {
    world.at(time, [&] { seen.push_back(ahead(world.a, ClockKind::wall)); });
  }
  run_until(10s);
  EXPECT_THAT(seen, ElementsAre(-333'333'333ns, -666'666'666ns, -1s, -1s));
}

TEST_F(FaultTest, FailoverPromotesTheReplica) {
  FaultSpec spec = fault("failover", "redis");
  spec.at.name = "SET";
  spec.at.phase = Phase::applied;
  arm({spec});
  say(1s, "SET", "k", "v");
  say(2s, "GET", "k");
  run_until(10s);
  EXPECT_THAT(world.log, ElementsAre("connection reset 1001", "(nil) 2002"));
  EXPECT_NE(cluster.serving(0), redis);
}

TEST_F(FaultTest, ServerRestartForgetsWhatWasNotOnDisk) {
  FaultSpec spec = fault("server-restart", "redis");
  spec.at.time = fixed(2s);
  spec.lasts = fixed(1s);
  arm({spec});
  say(1s, "SET", "k", "v");
  say(2500ms, "GET", "k");
  say(4s, "GET", "k");
  run_until(10s);
  EXPECT_THAT(world.log, ElementsAre("OK 1002", "connection refused 2501", "(nil) 4002"));
}

TEST_F(FaultTest, ReplicationLagDelaysReplicationWhileItLasts) {
  FaultSpec spec = fault("replication-lag", "redis");
  spec.at.time = fixed(1s);
  set_option(spec, "by", fixed(100ms));
  spec.lasts = fixed(5s);
  arm({spec});
  for (const Duration time : {2s, 7s}) {
    say(time, "SET", "k", "v");
    say(time, "WAIT", 1, 400);
  }
  run_until(10s);
  EXPECT_THAT(world.log, ElementsAre("OK 2002", "1 2104", "OK 7002", "1 7004"));
}

TEST_F(FaultTest, ReplicationLagEndsWhereItBeganThoughThePrimaryChanged) {
  begin(2);
  FaultSpec lag = fault("replication-lag", "redis");
  lag.at.time = fixed(1s);
  set_option(lag, "by", fixed(100ms));
  lag.lasts = fixed(2s);
  FaultSpec failover = fault("failover", "redis");
  failover.at.time = fixed(2s);
  arm({lag, failover});
  say(4s, "SET", "k", "v");
  say(4s, "WAIT", 1, 400);
  run_until(10s);
  EXPECT_THAT(world.log, ElementsAre("OK 4002", "1 4004"));
}

TEST_F(FaultTest, AFaultOnAProcessThatThisTopologyLacksDoesNothing) {
  FaultSpec spec = fault("crash", "redis-5");
  spec.at.time = fixed(1s);
  arm({spec});
  run_until(10s);
  EXPECT_THAT(events(), IsEmpty());
  EXPECT_THAT(driver.not_struck(), ElementsAre(0U));
}

}  // namespace
}  // namespace holdfast
