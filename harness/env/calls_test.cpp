// Calls, with everything that can go wrong on the way: each test strikes at one phase or one time.
// A message takes 10 ms: a request arrives at 10, its reply at 20.
#include "harness/env/calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/kernel/test_kernel.h"

namespace holdfast {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Question {
  std::string word;
};
struct Echo {
  std::string word;
};
std::string_view call_name(const Question& question) {
  return question.word;
}
std::string to_text(const Question& question) {
  return question.word;
}
std::string to_text(const Echo& echo) {
  return echo.word;
}
std::uint64_t digest(const Question& question) {
  return hash_text(question.word);
}
std::uint64_t digest(const Echo& echo) {
  return hash_text(echo.word);
}
using EchoCalls = Calls<Question, Echo>;

class EchoService final : public EchoCalls::Service {
 public:
  EchoService(TestKernel& world, EchoCalls& calls) : world_(world), calls_(calls) {}
  void serve(EchoCalls::Call& call) override {
    world_.note("served " + call.request.word);
    if (answers_later) {
      call.retain();
      unanswered_ = &call;
    } else {
      calls_.respond(call, Echo{"echo of " + call.request.word});
    }
  }
  void answer_the_first() {
    calls_.respond(*unanswered_, Echo{"echo of " + unanswered_->request.word});
    unanswered_->release();
  }

  bool answers_later = false;

 private:
  EchoCalls::Call* unanswered_ = nullptr;
  TestKernel& world_;
  EchoCalls& calls_;
};

class CallsTest : public ::testing::Test, public StepObserver {
 protected:
  CallsTest() { begin(); }
  ~CallsTest() override { world.kernel.stop(); }

  void begin() {
    world.reset();
    network.reset(Latency{.least = 10ms, .jitter_step = 0ns, .jitter_steps = 1});
    steps.reset(world.kernel.process_count());
    steps.observe(*this);
    calls.reset();
    env.emplace(world.kernel, steps, world.a, 1);
    world.kernel.hold_open();
    world.at(10s, [&] { world.kernel.let_close(); });
  }
  void on_step(const Step& step) override {
    if (strike && step.phase == strike_phase) {
      const std::function<void()> action = std::exchange(strike, nullptr);
      action();
    }
  }
  void strike_at(Phase phase, std::function<void()> action) {
    strike_phase = phase;
    strike = std::move(action);
  }

  Task<> ask(std::string word, Duration timeout) {
    Question question{word};
    const EchoCalls::Result result =
        co_await calls.call(*env, world.b, service, timeout, std::move(question));
    // Both, since nothing may be told with an error that nobody heard, or that was said in an earlier run.
    world.note(word + ": " + result.response.word +
               (result.error == CallError::none ? "" : std::string(to_text(result.error))));
  }
  Task<> ask_two() {
    co_await ask("q", 15ms);
    co_await ask("r", 1s);
  }
  void spawn_ask(std::string word, Duration timeout = 1s) {
    world.kernel.spawn(world.a, ask(std::move(word), timeout));
  }

  TestKernel world;
  Steps steps;
  EchoCalls calls{world.kernel, network, steps};
  Network network{world.kernel};
  EchoService service{world, calls};
  std::optional<Env> env;
  Phase strike_phase = Phase::point;
  std::function<void()> strike;
};

TEST_F(CallsTest, AnAnswerComesAfterTwoWays) {
  spawn_ask("q");
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10", "q: echo of q 20"));
}

TEST_F(CallsTest, TwoThreadsGetTheirOwnAnswers) {
  spawn_ask("q");
  spawn_ask("r");
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10", "served r 10", "q: echo of q 20", "r: echo of r 20"));
}

TEST_F(CallsTest, ALostReplyIsATimeoutThoughTheServerActed) {
  network.lose_next(world.b, world.a);
  spawn_ask("q", 300ms);
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10", "q: timed out 300"));
}

TEST_F(CallsTest, AReplyAfterTheTimeoutGoesToNobodyElse) {
  world.kernel.spawn(world.a, ask_two());
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10", "q: timed out 15", "served r 25", "r: echo of r 35"));
}

TEST_F(CallsTest, TheTimeoutIsOnTheClientsMonotonicClock) {
  world.kernel.set_clock_rate(world.a, ClockKind::monotonic, Clock::true_rate / 10);
  network.cut(world.a, world.b);
  spawn_ask("q", 100ms);
  world.run();
  EXPECT_THAT(world.log, ElementsAre("q: timed out 1000"));
}

TEST_F(CallsTest, WhatACrashedClientHadSentIsStillExecuted) {
  spawn_ask("q");
  world.at(5ms, [&] { world.kernel.crash(world.a); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10"));
}

TEST_F(CallsTest, AClientThatDiesBeforeSendingSendsNothing) {
  strike_at(Phase::sending, [&] { world.kernel.crash(world.a); });
  spawn_ask("q");
  world.run();
  EXPECT_THAT(world.log, IsEmpty());
  EXPECT_EQ(network.sent_count(), 0U);
}

TEST_F(CallsTest, AServerThatDiesOnArrivalExecutesNothing) {
  strike_at(Phase::arrived, [&] { world.kernel.crash(world.b); });
  spawn_ask("q", 300ms);
  world.run();
  EXPECT_THAT(world.log, ElementsAre("q: timed out 300"));
}

TEST_F(CallsTest, AServerThatDiesAfterExecutingDoesNotAnswer) {
  strike_at(Phase::applied, [&] { world.kernel.crash(world.b); });
  spawn_ask("q", 300ms);
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10", "q: timed out 300"));
  EXPECT_EQ(network.sent_count(), 1U);
}

TEST_F(CallsTest, ADeadServerRefuses) {
  spawn_ask("q");
  world.at(5ms, [&] { world.kernel.crash(world.b); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("q: connection refused 10"));
}

TEST_F(CallsTest, AResetBeforeArrivalIsToldAndTheRequestIsLost) {
  spawn_ask("q");
  world.at(5ms, [&] { network.reset_connections(world.a, world.b); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("q: connection reset 5"));
}

TEST_F(CallsTest, AResetOnTheWayBackIsToldAndTheRequestWasExecuted) {
  spawn_ask("q");
  world.at(15ms, [&] { network.reset_connections(world.b, world.a); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10", "q: connection reset 15"));
}

TEST_F(CallsTest, AResetOfAnotherConnectionIsNoConcern) {
  spawn_ask("q");
  world.at(5ms, [&] { network.reset_connections(world.a, world_process); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10", "q: echo of q 20"));
}

TEST_F(CallsTest, APauseBeforeSendingSendsLaterAndTheTimeoutCountsFromThen) {
  strike_at(Phase::sending, [&] { world.kernel.pause(world.a); });
  spawn_ask("q", 30ms);
  world.at(50ms, [&] { world.kernel.resume(world.a); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 60", "q: echo of q 70"));
}

TEST_F(CallsTest, APauseOnArrivalExecutesLater) {
  strike_at(Phase::arrived, [&] { world.kernel.pause(world.b); });
  spawn_ask("q");
  world.at(50ms, [&] { world.kernel.resume(world.b); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 50", "q: echo of q 60"));
}

TEST_F(CallsTest, APauseAfterExecutingAnswersLater) {
  strike_at(Phase::applied, [&] { world.kernel.pause(world.b); });
  spawn_ask("q");
  world.at(50ms, [&] { world.kernel.resume(world.b); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10", "q: echo of q 60"));
}

TEST_F(CallsTest, APauseAsTheReplyArrivesLooksAtItLaterThoughTheTimeoutPassed) {
  strike_at(Phase::replied, [&] { world.kernel.pause(world.a); });
  spawn_ask("q", 30ms);
  world.at(50ms, [&] { world.kernel.resume(world.a); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10", "q: echo of q 50"));
}

TEST_F(CallsTest, ATimeoutThatCameFirstInAPauseIsSeenFirst) {
  spawn_ask("q", 15ms);
  world.at(1ms, [&] { world.kernel.pause(world.a); });
  world.at(50ms, [&] { world.kernel.resume(world.a); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10", "q: timed out 50"));
}

TEST_F(CallsTest, ACrashInAPauseBeforeSendingSendsNothing) {
  strike_at(Phase::sending, [&] { world.kernel.pause(world.a); });
  spawn_ask("q");
  world.at(50ms, [&] {
    world.kernel.resume(world.a);
    world.kernel.crash(world.a);
  });
  world.run();
  EXPECT_THAT(world.log, IsEmpty());
}

TEST_F(CallsTest, ACrashInAPauseOnArrivalExecutesNothing) {
  strike_at(Phase::arrived, [&] { world.kernel.pause(world.b); });
  spawn_ask("q", 300ms);
  world.at(50ms, [&] { world.kernel.crash(world.b); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("q: timed out 300"));
}

TEST_F(CallsTest, AServerThatResumesAndDiesInOneInstantExecutesNothing) {
  strike_at(Phase::arrived, [&] { world.kernel.pause(world.b); });
  spawn_ask("q", 300ms);
  world.at(50ms, [&] {
    world.kernel.resume(world.b);
    world.kernel.crash(world.b);
  });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("q: timed out 300"));
}

TEST_F(CallsTest, AServerThatResumesAndDiesInOneInstantDoesNotAnswer) {
  strike_at(Phase::applied, [&] { world.kernel.pause(world.b); });
  spawn_ask("q", 300ms);
  world.at(50ms, [&] {
    world.kernel.resume(world.b);
    world.kernel.crash(world.b);
    world.kernel.restart(world.b);
  });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10", "q: timed out 300"));
}

TEST_F(CallsTest, WhatBreaksWithItsConnectionAsItIsSentIsNotExecutedAndItsClientLearnsOfIt) {
  strike_at(Phase::sending, [&] { network.break_next(world.a, world.b, Breaking::its_connection); });
  world.kernel.spawn(world.a, ask_two());
  world.run();
  EXPECT_THAT(world.log, ElementsAre("q: connection reset 0", "served r 10", "r: echo of r 20"));
}

TEST_F(CallsTest, WhatBreaksWithItsConnectionAtTheServersDoorIsNotExecutedEither) {
  strike_at(Phase::arrived, [&] { network.reset_connections(world.b, world.a); });
  spawn_ask("q");
  world.run();
  EXPECT_THAT(world.log, ElementsAre("q: connection reset 10"));
}

TEST_F(CallsTest, NorIsWhatNobodyWaitsForAnyMore) {
  strike_at(Phase::arrived, [&] { network.reset_connections(world.a, world.b); });
  spawn_ask("q", 5ms);
  world.run();
  EXPECT_THAT(world.log, ElementsAre("q: timed out 5"));
}

TEST_F(CallsTest, AConnectionOfOthersThatBreaksMeanwhileTearsNothing) {
  strike_at(Phase::arrived, [&] { network.reset_connections(world.a, world_process); });
  spawn_ask("q");
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10", "q: echo of q 20"));
}

// The answer would be there sooner than the bad news.
TEST_F(CallsTest, AnAnswerThatIsTornAwayIsNotHeardHoweverFastTheNetwork) {
  network.reset(no_latency);
  network.listen(calls);
  strike_at(Phase::applied, [&] { network.reset_connections(world.a, world.b); });
  spawn_ask("q");
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 0", "q: connection reset 0"));
}

// One that is answered while another is about to be executed: both are in hand.
TEST_F(CallsTest, WhatIsInHandBehindAnotherIsTornAwayWithIt) {
  service.answers_later = true;
  spawn_ask("q");
  world.at(15ms, [&] { spawn_ask("r"); });
  world.at(20ms, [&] {
    strike_at(Phase::arrived, [&] {
      strike_at(Phase::applied, [&] { network.reset_connections(world.a, world.b); });
      service.answer_the_first();
    });
  });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10", "q: connection reset 25", "r: connection reset 25"));
}

TEST_F(CallsTest, ARequestLostAtTheServersDoorIsATimeoutAndTheOneBehindItIsNot) {
  strike_at(Phase::arrived, [&] { network.lose_next(world.a, world.b); });
  spawn_ask("q", 300ms);
  spawn_ask("r", 300ms);
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served r 10", "r: echo of r 20", "q: timed out 300"));
  EXPECT_EQ(network.lost_count(), 1U);
}

TEST_F(CallsTest, WhatIsToBeLostNextIsNotWhatHasArrived) {
  spawn_ask("q");
  world.at(5ms, [&] { network.lose_next(world.a, world.b); });
  world.at(30ms, [&] { spawn_ask("r", 300ms); });
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10", "q: echo of q 20", "r: timed out 330"));
}

TEST_F(CallsTest, AClientThatDiesAsTheReplyArrivesDoesNotSeeIt) {
  strike_at(Phase::replied, [&] { world.kernel.crash(world.a); });
  spawn_ask("q");
  world.run();
  EXPECT_THAT(world.log, ElementsAre("served q 10"));
}

TEST_F(CallsTest, AThreadKilledBeforeSendingSendsNothing) {
  strike_at(Phase::sending, [&] { world.kernel.kill_thread(world.a, 0); });
  spawn_ask("q");
  world.run();
  EXPECT_THAT(world.log, IsEmpty());
  EXPECT_EQ(network.sent_count(), 0U);
}

TEST_F(CallsTest, WhatAThreadHadSentIsExecutedWhereverItIsKilledAndItSeesNoReply) {
  for (const Phase phase : {Phase::arrived, Phase::applied, Phase::replied}) {
    begin();
    strike_at(phase, [&] { world.kernel.kill_thread(world.a, 0); });
    spawn_ask("q");
    EXPECT_EQ(world.run(), RunEnd::finished) << to_text(phase);
    EXPECT_THAT(world.log, ElementsAre("served q 10")) << to_text(phase);
  }
}

TEST_F(CallsTest, AThreadThatAsksWithTheSameEnvOutlivesTheOneThatIsKilled) {
  for (const Phase phase : {Phase::sending, Phase::arrived, Phase::applied, Phase::replied}) {
    begin();
    world.kernel.spawn(world.a, sleep_for_ever(world, world.a, "killed"));
    strike_at(phase, [&] { world.kernel.kill_thread(world.a, 0); });
    spawn_ask("q");
    world.run();
    EXPECT_THAT(world.log, Contains("q: echo of q 20")) << to_text(phase);
  }
}

TEST_F(CallsTest, TenThousandRunsWithCrashesAndPausesDoNotMakeThePoolGrow) {
  for (int number = 0; number < 10'000; ++number) {
    begin();
    strike_at(static_cast<Phase>(number % 5),
              [&, number] { world.kernel.pause(number % 2 == 0 ? world.a : world.b); });
    spawn_ask("q", 100ms);
    spawn_ask("r", 100ms);
    const ProcessId victim = number % 3 == 0 ? world.a : world.b;
    world.at(std::chrono::milliseconds(number % 25), [&, victim] { world.kernel.crash(victim); });
    world.run({.true_time = 200ms});
  }
  EXPECT_LE(calls.pool_size(), 2U);
}

class StepRecorder final : public StepObserver {
 public:
  void on_step(const Step& step) override {
    seen.push_back(std::string(to_text(step.phase)) + " " + std::to_string(step.client_ordinal) + " " +
                   std::to_string(step.server_ordinal) + " " + std::string(step.name) + " " +
                   std::to_string(step.thread));
    if (step.phase == Phase::applied) {
      texts = step.call->request_text() + " / " + step.call->reply_text();
    }
  }
  std::vector<std::string> seen;
  std::string texts;
};

TEST_F(CallsTest, EveryPhaseIsAStepNumberedForTheClientAndForTheServer) {
  StepRecorder recorder;
  steps.observe(recorder);
  spawn_ask("q");
  world.run();
  EXPECT_THAT(recorder.seen,
              ElementsAre("sending 1 0 q 1", "arrived 2 1 q 1", "applied 3 2 q 1", "replied 4 0 q 1"));
  EXPECT_EQ(recorder.texts, "q / echo of q");
}

}  // namespace
}  // namespace holdfast
