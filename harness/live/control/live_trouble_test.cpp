// A live run that meets trouble: one sentence, the history until then, and nothing left behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <map>

#include "harness/live/control/test_live_trouble.h"
#include "harness/machine/process/send_signal.h"

namespace holdfast::live {
namespace live_trouble_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(LiveTroubleTest, AServerThatIsNotInstalled) {
  request.programs.emplace("redis", ServerProgram("no-such-redis-server"));
  EXPECT_THAT(trouble(), StartsWith("no-such-redis-server is not installed"));
}

TEST_F(LiveTroubleTest, AServerThatDoesNotComeUp) {
  request.programs.insert_or_assign("redis", ServerProgram("false"));
  EXPECT_THAT(trouble(), StartsWith("false ended with exit code 1"));
}

TEST_F(LiveTroubleTest, AServerThatDies) {
  strike = [&] {
    const auto servers = place.processes_called("redis-server");
    ASSERT_EQ(servers.size(), 1U);
    send_signal(servers.front(), SIGKILL);
  };
  EXPECT_THAT(trouble(), StartsWith("redis-server ended with signal 9 in the middle of the run: "));
  expect_history();
}

TEST_F(LiveTroubleTest, AClientThatCannotBeStarted) {
  request.client_command = {"/no/such/client"};
  EXPECT_EQ(trouble(), "/no/such/client cannot be started: No such file or directory.");
}

TEST_F(LiveTroubleTest, AClientThatDoesNotAnswerItsSetup) {
  request.patience_at_start = 300ms;
  EXPECT_THAT(trouble_with_client("sleep 60"),
              StartsWith("c1 does not answer its setup: \"bash -c sleep 60\""));
}

TEST_F(LiveTroubleTest, AClientThatPrintsGarbage) {
  const auto no_message = HasSubstr(" wrote what is no message of the protocol: ");
  EXPECT_THAT(trouble_with_client("printf '\\x1b[2J\\xff\\n'; exec sleep 60"),
              AllOf(no_message, ::testing::EndsWith(": \"?[2J?\".")));
  EXPECT_THAT(trouble_with_client("echo '{\"type\":\"step\",\"thread\":\"one\"}'; exec sleep 60"),
              no_message);
  EXPECT_NE(trouble_with_client("echo '{\"type\":\"event\",\"event\":7}'; exec sleep 60"), "");
  EXPECT_THAT(trouble_with_client("head -c 2000000 /dev/zero; exec sleep 60"),
              HasSubstr(" wrote a line of more than 1048576 bytes"));
}

// Begins as a client does.
constexpr const char* begin =
    "echo '{\"type\":\"prepared\"}'; read -r; read -r; "
    "echo '{\"type\":\"event\",\"event\":\"invoke\",\"operation\":\"acquire\",\"thread\":1,\"session\":1}'; ";

TEST_F(LiveTroubleTest, AClientThatEndsEarly) {
  EXPECT_EQ(trouble_with_client(std::string(begin) + "echo out of cheese >&2; exit 3").substr(2),
            " ended in the middle of the run (exit code 3): out of cheese");
  expect_history();
}

TEST_F(LiveTroubleTest, AClientThatHangs) {
  scenario.time_limit.fixed = 10s;  // half a second of real time
  EXPECT_EQ(trouble_with_client(std::string(begin) + "exec sleep 60"),
            "c1 hangs: it has not answered for 3 s.");
  expect_history();
}

// A run that moves clocks believes no client that it was moved.
class LiveClockTest : public LiveTroubleTest {
 protected:
  LiveClockTest() {
    FaultSpec& jump = scenario.faults.emplace_back();
    jump.fault = "clock-jump";
    jump.on = "c1";
    jump.at.time = ScenarioDuration{};
  }
};

// Its shell has mapped the page; what it says comes from a program that has not.
TEST_F(LiveClockTest, AClientThatLivesInRealTime) {
  EXPECT_THAT(trouble_with_client("echo '{\"type\":\"prepared\",\"wall\":'"
                                  "$(env -u LD_PRELOAD date +%s%N)'}'; read -r setup; read -r start"),
              AllOf(HasSubstr("/bash does not follow the clock that it was given: it is "),
                    HasSubstr(" after 1970 there, and it says ")));
}

TEST_F(LiveClockTest, AClientThatDoesNotSayWhatTimeItIs) {
  EXPECT_EQ(trouble_with_client("echo '{\"type\":\"prepared\"}'; exec sleep 60").substr(2),
            " does not say what time it is (\"wall\" of \"prepared\"), so that its clock cannot be trusted.");
}

// In its second life a client is a program like any other.
TEST_F(LiveClockTest, AClientThatLivesInRealTimeWhenItComesBack) {
  FaultSpec& crash = scenario.faults.emplace_back();
  crash.fault = "crash-restart";
  crash.on = "c1";
  crash.at.process = "c1";
  crash.at.phase = Phase::point;
  crash.at.name = "work";
  crash.lasts = ScenarioDuration{1s, 0};
  EXPECT_THAT(
      trouble_with_client("read -r setup; case $setup in *c1#2*) echo '{\"type\":\"prepared\",\"wall\":'"
                          "$(env -u LD_PRELOAD date +%s%N)'}'; read -r start ;; esac; "
                          "{ echo \"$setup\"; cat; } | " HOLDFAST_BINARY " live-client"),
      HasSubstr("/bash does not follow the clock that it was given: it is "));
}

TEST_F(LiveClockTest, OfAClientThatDoesIsPutRightBeforeItBegins) {
  request.details = true;
  EXPECT_EQ(trouble(), "");
  std::map<ProcessId, Duration> said;
  for (const Event& event : live.history().events()) {
    if (event.type == EventType::invoke) {
      said[event.process] = event.wall;
    } else if (event.type == EventType::applied) {  // with the mirror's clocks
      EXPECT_LT(std::chrono::abs(said.at(event.process) - event.wall), 1min);
    }
  }
  EXPECT_EQ(said.size(), 2U);
}

// Two lines of each client: the port is what follows "servers":["127.0.0.1: in the setup.
constexpr const char* find_port =
    "read -r setup; port=${setup##*\\\"servers\\\":[\\\"127.0.0.1:}; port=${port%%\\\"*}; "
    "echo '{\"type\":\"prepared\"}'; read -r; ";

TEST_F(LiveTroubleTest, AProxyThatIsOverloadedWithConnections) {
  EXPECT_EQ(
      trouble_with_client(std::string(find_port) +
                          "for i in {1..400}; do exec {fd}<>/dev/tcp/127.0.0.1/$port; done; exec sleep 60"),
      "the proxy is overloaded: a client thread has more than 250 connections to one server at a time.");
}

TEST_F(LiveTroubleTest, AProxyThatIsOverloadedWithBytes) {
  EXPECT_THAT(
      trouble_with_client(std::string(find_port) +
                          "exec {fd}<>/dev/tcp/127.0.0.1/$port; printf '*1\\r\\n$99999999\\r\\n' >&$fd; "
                          "head -c 99999999 /dev/zero >&$fd; exec sleep 60"),
      StartsWith("the proxy is overloaded: more than 67108864 bytes wait in it"));
}

}  // namespace live_trouble_test
}  // namespace holdfast::live
