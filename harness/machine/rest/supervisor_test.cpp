// Small programs under a supervisor.
#include "harness/machine/rest/supervisor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/machine/process/live_error.h"
#include "harness/machine/rest/test_held.h"

namespace holdfast::rest {
namespace supervisor_test {

using namespace test_held;
using testing::HasSubstr;

using SupervisorTest = Held;

TEST_F(SupervisorTest, WaitsAreExactToTheNanosecond) {
  for (const bool one_at_a_time : {true, false}) {
    Supervisor supervisor({.one_at_a_time = one_at_a_time});
    const std::size_t number = start(supervisor, {compiled(directory_, "waits.c")});
    run_to_end(supervisor, number);
    EXPECT_EQ(
        said(number),
        "nanosleep 1500000001\nclock_nanosleep 1500000001\npoll 1500000000\nppoll 1500000001\n"
        "pselect 1500000001\nselect 1500000000\nepoll 1500000000\nepoll_pwait2 1500000001\nfutex 1500000001\n"
        "condition 1500000001\nsemaphore 1500000001\nfutex_waitv 1500000001\n"
        "ready poll 0\nready pselect 0\nready select 0\nready epoll 0\ncall 0\n");
    std::filesystem::remove(output_of(number));
  }
}

TEST_F(SupervisorTest, ContendingThreadsComeInTheSameOrderEveryTime) {
  std::vector<std::vector<std::string>> commands = {{compiled(directory_, "contend.c")}};
  if (has_program("python3")) {
    commands.push_back({real_path_of("python3"), source_of("contend.py")});
  }
  for (const std::vector<std::string>& command : commands) {
    std::string first;
    for (int run = 0; run < 20; ++run) {
      Supervisor supervisor;
      const std::size_t number = start(supervisor, command);
      run_to_end(supervisor, number);
      first = run == 0 ? said(number) : first;
      EXPECT_EQ(said(number), first) << command.front() << ", run " << run;
      std::filesystem::remove(output_of(number));
    }
    EXPECT_GT(first.size(), 20U);
  }
}

// Random numbers, and the addresses that programs make more of them.
TEST_F(SupervisorTest, RandomNumbersComeFromTheSeed) {
  std::vector<std::string> said_by_run;
  for (const std::uint64_t seed : {1, 1, 2}) {
    Supervisor supervisor({.seed = seed});
    const std::size_t number = start(supervisor, {real_path_of("python3"), source_of("ids.py")});
    run_to_end(supervisor, number);
    said_by_run.push_back(said(number));
    std::filesystem::remove(output_of(number));
  }
  EXPECT_EQ(said_by_run[0], said_by_run[1]);
  EXPECT_NE(said_by_run[0], said_by_run[2]);
}

struct Odd {
  std::string what;
  std::string told;
};

TEST_F(SupervisorTest, WhatIsNotCoveredIsToldInOneSentence) {
  const std::string program = compiled(directory_, "odd.c");
  for (const Odd& odd :
       {Odd{"fork", "starts another process (clone), which is not held."},
        Odd{"exec",
            "becomes another program (/bin/true), which leaves virtual time: name that program itself."},
        Odd{"timerfd", "sets a timer of the kernel (timerfd), which goes by real time."},
        Odd{"setitimer", "sets a timer of the kernel (setitimer), which goes by real time."},
        Odd{"alarm", "sets a timer of the kernel (alarm), which goes by real time."},
        Odd{"signalfd", "reads signals from a descriptor (signalfd), which only it can look at itself."},
        Odd{"be traced", "asks to be traced (ptrace), so that its signals stop it and nobody lets it go on."},
        Odd{"be strict", "locks itself up (seccomp, strict), so that it could not wait any more."},
        Odd{"listen to itself",
            "listens to a seccomp filter of its own, of which there can be only one, and that is ours."},
        Odd{"wait for a signal", "waits with a timeout by sigtimedwait, which is not held."},
        Odd{"call as 32 bit", "calls the kernel as a 32-bit program does (int 0x80), which is not held."},
        Odd{"socket timeout",
            "sets a timeout for a socket (SO_RCVTIMEO, SO_SNDTIMEO), which goes by real time."}}) {
    Supervisor supervisor;
    const std::size_t number = start(supervisor, {program, odd.what});
    const pid_t process = supervisor.process(number).process();
    EXPECT_THAT(
        [&] { supervisor.settle(); },
        testing::ThrowsMessage<live::LiveError>("odd (process " + std::to_string(process) + ") " + odd.told));
  }
}

TEST_F(SupervisorTest, WhatAProgramCanDoWithoutItDoesWithout) {
  Supervisor supervisor;
  const std::size_t number = start(supervisor, {compiled(directory_, "odd.c"), "io_uring"});
  supervisor.settle();
  EXPECT_EQ(said(number), "Function not implemented\n");
  EXPECT_THAT(supervisor.process(number).notes(), testing::ElementsAre(HasSubstr("uses io_uring")));
}

TEST_F(SupervisorTest, NobodySetsTheClockOfTheMachine) {
  for (const bool refuses_uncovered : {true, false}) {
    Supervisor supervisor({.refuses_uncovered = refuses_uncovered});
    const std::size_t number = start(supervisor, {compiled(directory_, "odd.c"), "set the clock"});
    supervisor.settle();
    EXPECT_EQ(said(number), "-1 -1\n");
    EXPECT_THAT(supervisor.process(number).notes(),
                testing::ElementsAre(HasSubstr("(clock_settime)"), HasSubstr("(adjtimex)")));
    std::filesystem::remove(output_of(number));
  }
}

TEST_F(SupervisorTest, EveryWayToReadAClockIsHeld) {
  Supervisor supervisor;
  const std::size_t number = start(supervisor, {compiled(directory_, "odd.c"), "read odd clocks"});
  supervisor.settle();
  supervisor.expire_next();
  EXPECT_EQ(said(number), "10000 1100\n");
}

TEST_F(SupervisorTest, WhatIsNotCoveredCanBeAllowed) {
  Supervisor supervisor({.refuses_uncovered = false});
  const std::size_t number = start(supervisor, {compiled(directory_, "odd.c"), "fork"});
  supervisor.settle();
  EXPECT_THAT(supervisor.process(number).notes(), testing::ElementsAre(HasSubstr("starts another process")));
  EXPECT_EQ(supervisor.next_deadline(), 1000 * second_ns);
}

TEST_F(SupervisorTest, WhoSpinsUntilTheClockChangesEnds) {
  const std::string program = compiled(directory_, "odd.c");
  for (const char* how : {"spin", "spin politely", "back off"}) {
    Supervisor supervisor({.patience_ms = 20});
    const std::size_t number = start(supervisor, {program, how});
    run_to_end(supervisor, number);
    EXPECT_EQ(said(number), "it changed\n") << how;
    EXPECT_LE(supervisor.now_ns(), millisecond_ns) << how;
    EXPECT_EQ(supervisor.figures().creeps > 0, std::string_view(how) == "spin") << how;
    std::filesystem::remove(output_of(number));
  }
}

TEST_F(SupervisorTest, WhoSpinsToTheNextSecondEndsToo) {
  Supervisor supervisor({.patience_ms = 20});
  const std::size_t number = start(supervisor, {compiled(directory_, "odd.c"), "spin to the next second"});
  run_to_end(supervisor, number);
  EXPECT_EQ(said(number), "it changed\n");
  EXPECT_LE(supervisor.now_ns(), 3 * second_ns);
}

TEST_F(SupervisorTest, WhoLooksWithoutWaitingIsNotAtRest) {
  const std::string program = compiled(directory_, "odd.c");
  for (const char* how : {"look without waiting", "look for a signal"}) {
    Supervisor supervisor;
    const std::size_t number = start(supervisor, {program, how});
    supervisor.settle();
    EXPECT_EQ(said(number), "looked\n") << how;
    EXPECT_EQ(supervisor.next_deadline(), 1000 * second_ns);
    std::filesystem::remove(output_of(number));
  }
}

TEST_F(SupervisorTest, WhoYieldsOnAndOnDoesNotKeepUsForHours) {
  Supervisor supervisor;
  start(supervisor, {compiled(directory_, "odd.c"), "yield on and on"});
  supervisor.settle();
  supervisor.advance_to(second_ns);
  EXPECT_LT(supervisor.figures().rests, 1100);
}

TEST_F(SupervisorTest, APeerThatIsGoneIsNoException) {
  Supervisor supervisor;
  const std::size_t number = start(supervisor, {compiled(directory_, "odd.c"), "wait for exceptions"});
  supervisor.settle();
  supervisor.expire_next();
  EXPECT_EQ(said(number), "0 after 1000000000\n");
}

TEST_F(SupervisorTest, WhoNeverRestsIsToldInOneSentence) {
  const std::string program = compiled(directory_, "odd.c");
  for (const char* how : {"compute", "ask on and on"}) {
    Supervisor supervisor({.rest_limit_ms = 300});
    start(supervisor, {program, how});
    EXPECT_THAT([&] { supervisor.settle(); },
                testing::ThrowsMessage<live::LiveError>(HasSubstr("did not come to rest in 0.3 s")))
        << how;
  }
  Supervisor supervisor;
  start(supervisor, {program, "sleep till yesterday"});
  supervisor.settle();
  EXPECT_THAT([&] { supervisor.advance_to(second_ns); },
              testing::ThrowsMessage<live::LiveError>(HasSubstr("for a time that has come already")));
}

TEST_F(SupervisorTest, TimeMovesByDeadlinesOrAtOnce) {
  Supervisor supervisor;
  const std::size_t number = start(supervisor, {compiled(directory_, "odd.c"), "read wall clock"});
  supervisor.settle();
  EXPECT_EQ(said(number), "1767225600\n");
  EXPECT_EQ(supervisor.next_deadline(), 10 * second_ns);
  EXPECT_FALSE(supervisor.advance_to(25 * second_ns));
  EXPECT_EQ(supervisor.now_ns(), 25 * second_ns);
  EXPECT_EQ(said(number), "1767225600\n1767225610\n1767225620\n");
  supervisor.jump_to(65 * second_ns);
  EXPECT_EQ(said(number), "1767225600\n1767225610\n1767225620\n1767225665\n");
  EXPECT_TRUE(supervisor.advance_to(1000 * second_ns, [&] { return supervisor.now_ns() > 80 * second_ns; }));
  EXPECT_EQ(supervisor.now_ns(), 85 * second_ns);
}

TEST_F(SupervisorTest, AStepOfTheWallClockMovesItsDeadlines) {
  Supervisor supervisor;
  const std::size_t number = start(supervisor, {compiled(directory_, "odd.c"), "read wall clock"});
  supervisor.settle();
  supervisor.step_wall_clock(number, -60 * second_ns);
  EXPECT_EQ(supervisor.next_deadline(), 70 * second_ns);
  supervisor.step_wall_clock(number, 90 * second_ns);
  EXPECT_EQ(supervisor.next_deadline(), 0);
}

TEST_F(SupervisorTest, WhoIsOnHoldIsLetGoLater) {
  Supervisor supervisor;
  const std::string program = compiled(directory_, "odd.c");
  const std::size_t one = start(supervisor, {program, "read wall clock"});
  const std::size_t other = start(supervisor, {program, "read wall clock"});
  supervisor.settle();
  supervisor.hold(one);
  supervisor.advance_to(25 * second_ns);
  EXPECT_EQ(said(one), "1767225600\n");
  EXPECT_EQ(said(other), "1767225600\n1767225610\n1767225620\n");
  supervisor.let_go(one);
  EXPECT_EQ(supervisor.next_deadline(), 25 * second_ns);
  supervisor.advance_to(26 * second_ns);
  EXPECT_EQ(said(one), "1767225600\n1767225625\n");
}

}  // namespace supervisor_test
}  // namespace holdfast::rest
