// Stories run live: the letters that `sim` comes to, on real processes, and one sentence for each trouble.
#include "harness/live/control/live_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <set>

#include "faults/catalog.h"
#include "harness/machine/process/live_error.h"
#include "harness/machine/process/temporary_directory.h"
#include "harness/scenario/file/load.h"
#include "harness/scenario/shelf/shelf.h"
#include "locks/lookup/lookup.h"

namespace holdfast::live {
namespace live_run_test {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Scenario story(const std::string& name) {
  return load_scenario(std::string(HOLDFAST_SOURCE_DIR) + "/scenarios/" + name + ".json", known_names());
}

class LiveRunTest : public ::testing::Test {
 protected:
  RunReport run(const Scenario& scenario, std::string_view lock = {}) {
    request.scenario = &scenario;
    request.lock = find_lock(lock.empty() ? std::string_view(scenario.lock) : lock);
    if (request.client_command.empty()) {
      request.client_command = {HOLDFAST_BINARY, "live-client"};
    }
    return live.run(request);
  }
  // A machine with too much to do misses what is due within a few milliseconds: then there is more time.
  std::string_view letter(const std::string& name, std::string_view expected, std::string_view lock = {}) {
    const Scenario scenario = story(name);
    std::string_view found;
    for (const std::int64_t speed_up : {20, 10, 4}) {
      request.speed_up = speed_up;
      found = to_text(run(scenario, lock).letter);
      if (found == expected) {
        break;
      }
    }
    return found;
  }
  // The sentence of the trouble that a run with this client meets.
  std::string trouble(const std::string& shell_command) {
    const Scenario scenario = story("gc-pause-write");
    request.client_command = {"sh", "-c", shell_command};
    try {
      run(scenario);
    } catch (const LiveError& error) {
      return error.what();
    }
    return "";
  }
  bool has(EventType type) const {
    return std::any_of(live.history().events().begin(), live.history().events().end(),
                       [&](const Event& event) { return event.type == type; });
  }

  LiveRequest request;
  LiveRun live;
};

// Only a door sees which connection a call is on: a client that has its answer does not know it itself.
TEST_F(LiveRunTest, TheConnectionOfACallBreaksOnlyWhereItIsKnown) {
  Scenario scenario = story("gc-pause-write");
  FaultSpec reset;
  reset.fault = "reset";
  reset.on = "c1";
  reset.at.process = "c1";
  set_option(reset, "connections", "call");
  request.scenario = &scenario;
  request.lock = find_lock(scenario.lock);
  reset.at.phase = Phase::replied;
  scenario.faults = {reset};
  EXPECT_EQ(why_not_live(request),
            "reset with \"connections\": \"call\" needs the phase sending, arrived or applied in a live run, "
            "for only there is known which connection the call is on.");
  for (const Phase phase : {Phase::sending, Phase::arrived, Phase::applied}) {
    reset.at.phase = phase;
    scenario.faults = {reset};
    EXPECT_EQ(why_not_live(request), "");
  }
}

TEST_F(LiveRunTest, APauseOutlivesTheLease) {
  EXPECT_EQ(letter("gc-pause-write", "V"), "V");
  EXPECT_TRUE(has(EventType::fault_begin));
  EXPECT_TRUE(has(EventType::stored));
  EXPECT_THAT(live.servers(), StartsWith("redis-server "));
}

// The first client's program takes a tenth of a second to wake up, while the second is due after 5 ms.
TEST_F(LiveRunTest, WhoStartsLaterComesLaterOnASlowMachineToo) {
  const Scenario scenario = story("gc-pause-write");
  request.client_command = {
      "sh", "-c",
      "{ read -r setup; echo \"$setup\"; read -r start; case $setup in "
      "*'\"process\":\"c1\"'*) sleep 0.1 ;; esac; echo \"$start\"; cat; } | " HOLDFAST_BINARY " live-client"};
  run(scenario);
  for (const Event& event : live.history().events()) {
    if (event.type == EventType::ok && event.operation == Operation::acquire) {
      EXPECT_EQ(event.process, live.processes().front());
      return;
    }
  }
  FAIL() << "nobody got the lock";
}

TEST_F(LiveRunTest, ATokenLetsStorageRefuseTheLateWrite) {
  EXPECT_EQ(letter("gc-pause-write", "F", "redisson-fenced"), "F");
  EXPECT_TRUE(has(EventType::rejected));
}

TEST_F(LiveRunTest, AnAsynchronousFailoverLosesTheLock) {
  EXPECT_EQ(letter("async-failover", "V"), "V");
  EXPECT_EQ(letter("async-failover-wait", "S"), "S");
}

TEST_F(LiveRunTest, SentinelsDoTheFailover) {
  Scenario scenario = story("async-failover");
  // Sentinels take a second or two: the lease and the work have to be longer.
  scenario.clients.front().work = ScenarioDuration{8s, 0};
  request.own_failover = true;
  request.speed_up = 1;
  const RunReport report = run(scenario);
  EXPECT_EQ(to_text(report.letter), "V");
  EXPECT_EQ(report.end, RunEnd::finished);
}

TEST_F(LiveRunTest, AClockThatJumpsExpiresTheLock) {
  EXPECT_EQ(letter("clock-jump-forward-server", "V"), "V");
  EXPECT_EQ(letter("clock-jump-back-client", "V"), "V");
}

TEST_F(LiveRunTest, ALostReplyKeepsEverybodyOut) {
  EXPECT_EQ(letter("lost-ack", "L"), "L");
}

// The release of the only holder is never executed, whether its client learns of it at once or in vain waits
// for the answer.
TEST_F(LiveRunTest, ARequestThatIsLostAloneOrWithItsConnectionIsNotExecuted) {
  Scenario scenario = story("lost-ack");
  FaultSpec& fault = scenario.faults.front();
  fault.at = {};
  fault.at.process = fault.on;
  fault.at.name = "EVAL";
  for (const char* const id : {"lost-request", "reset"}) {
    for (const Phase phase : {Phase::sending, Phase::arrived}) {
      fault.fault = id;
      fault.at.phase = phase;
      request.details = true;
      EXPECT_EQ(to_text(run(scenario, "redis-px-cad").letter), "L") << id << " at " << to_text(phase);
      const auto& events = live.history().events();
      EXPECT_EQ(std::ranges::count_if(events,
                                      [&](const Event& event) {
                                        return event.type == EventType::applied &&
                                               live.history().text(event).starts_with("EVAL") &&
                                               event.process == live.processes().front();
                                      }),
                0)
          << id << " at " << to_text(phase);
      EXPECT_TRUE(has(EventType::fault_begin));
    }
  }
}

TEST_F(LiveRunTest, AThreadThatDiesAtItsStepLeavesItsProcessAlive) {
  Scenario scenario = story("slow-work");
  FaultSpec fault;
  fault.fault = "thread-crash";
  fault.on = "c1";
  fault.at.process = "c1";
  fault.at.name = "work";
  fault.at.phase = Phase::point;
  scenario.faults = {fault};
  run(scenario);
  const auto& events = live.history().events();
  EXPECT_EQ(
      std::ranges::count_if(
          events, [](const Event& event) { return event.type == EventType::died && event.thread == 1; }),
      1);
}

TEST_F(LiveRunTest, FiveServersOfWhichOneForgets) {
  EXPECT_EQ(letter("redlock-amnesia", "V"), "V");
}

TEST_F(LiveRunTest, APauseLastsUntilAnotherClientsStep) {
  EXPECT_EQ(letter("stamp-del-race", "V"), "V");
}

TEST_F(LiveRunTest, AClientThatCrashesAndRestartsBeginsAnew) {
  Scenario scenario = story("slow-work");
  FaultSpec crash;
  crash.fault = "crash-restart";
  crash.on = "c1";
  crash.at.process = "c1";
  crash.at.name = "work";
  crash.at.phase = Phase::point;
  crash.lasts = ScenarioDuration{1s, 0};
  scenario.faults.push_back(crash);
  scenario.clients.front().work = ScenarioDuration{300ms, 0};
  const RunReport report = run(scenario);
  EXPECT_TRUE(has(EventType::died));
  EXPECT_TRUE(has(EventType::restarted));
  EXPECT_EQ(report.end, RunEnd::finished);
  EXPECT_EQ(report.grants, 3U);
}

TEST_F(LiveRunTest, LaysNoHandOnServersOfTheUsers) {
  request.endpoints = {"127.0.0.1:1"};
  const Scenario scenario = story("async-failover");
  EXPECT_THAT([&] { run(scenario); },
              ::testing::ThrowsMessage<LiveError>(HasSubstr("lays no hand on servers of yours")));
}

TEST_F(LiveRunTest, NobodyAtTheEndpointIsOneSentence) {
  request.endpoints = {"127.0.0.1:1"};
  const Scenario scenario = story("gc-pause-write");
  EXPECT_THAT([&] { run(scenario); },
              ::testing::ThrowsMessage<LiveError>(StartsWith("no Redis answers at 127.0.0.1:1")));
}

TEST_F(LiveRunTest, AClientThatTalksNonsenseIsOneSentence) {
  EXPECT_THAT(trouble("echo hello; sleep 10"),
              EndsWith(" wrote what is no message of the protocol: \"hello\"."));  // whoever is first
  EXPECT_THAT(trouble("echo '{\"type\":\"what\"}'; sleep 10"), HasSubstr("the type \"what\""));
}

TEST_F(LiveRunTest, AClientThatEndsIsOneSentenceWithItsLastWords) {
  EXPECT_THAT(trouble("echo out of cheese >&2; exit 3"),
              HasSubstr(" ended in the middle of the run (exit code 3): out of cheese"));
}

TEST_F(LiveRunTest, KeepsTheHistoryUpToTheTrouble) {
  EXPECT_NE(trouble("if [ \"$LOADED\" ]; then exit 1; fi; echo '{\"type\":\"prepared\"}'; "
                    "echo '{\"type\":\"event\",\"event\":\"invoke\",\"operation\":\"acquire\",\"thread\":1,"
                    "\"session\":1}'; sleep 0.2; exit 1"),
            "");
  EXPECT_TRUE(has(EventType::invoke));
}

}  // namespace live_run_test
}  // namespace holdfast::live
