// Signals end waits that are held, as the kernel would have ended them.
#include <gtest/gtest.h>

#include "harness/machine/rest/interruption.h"
#include "harness/machine/rest/test_held.h"

namespace holdfast::rest {
namespace signals_test {

using namespace test_held;

using SignalsTest = Held;

struct Told {
  std::string how;
  std::string said;
};

TEST_F(SignalsTest, InterruptWaits) {
  const std::string program = compiled(directory_, "signals.c");
  for (const Told& told :
       {Told{"sleep", "1000000000 Interrupted system call 4 10\n"},
        Told{"poll", "1000000000 Interrupted system call 0 10\n"},
        Told{"futex", "1000000000 Interrupted system call 0 10\n"},
        Told{"mask of pselect", "1000000000 Interrupted system call 0 10\n"},
        Told{"mask of ppoll", "1000000000 Interrupted system call 0 10\n"},
        Told{"blocked", "5000000000 done 0 0\n"}, Told{"ignored", "5000000000 done 0 0\n"}}) {
    for (const bool one_at_a_time : {true, false}) {
      Supervisor supervisor({.one_at_a_time = one_at_a_time});
      const std::size_t number = start(supervisor, {program, told.how});
      run_to_end(supervisor, number);
      EXPECT_EQ(said(number), told.said) << told.how;
      std::filesystem::remove(output_of(number));
    }
  }
}

constexpr std::uint64_t tenth = 1U << 9U;

HeldWait wait_in(int call, WaitKind kind) {
  HeldWait wait;
  wait.call.number = call;
  wait.kind = kind;
  wait.deadline = Deadline{WaitClock::monotonic, 1};
  return wait;
}

TEST(Interruption, IsByWhatMattersAndIsNotBlocked) {
  const HeldWait sleep = wait_in(35, WaitKind::sleep);
  const auto of = [&](const ThreadSignals& signals) { return interruption_of(sleep, signals, Program()); };
  EXPECT_EQ(of({}), Interruption::none);
  EXPECT_EQ(of({.pending = tenth, .caught = tenth}), Interruption::by_answer);
  EXPECT_EQ(of({.pending = tenth}), Interruption::by_answer);  // it dies of it
  EXPECT_EQ(of({.pending = tenth, .blocked = tenth, .caught = tenth}), Interruption::none);
  EXPECT_EQ(of({.pending = tenth, .ignored = tenth}), Interruption::none);
  constexpr std::uint64_t of_a_child = 1U << 16U;
  EXPECT_EQ(of({.pending = of_a_child}), Interruption::none);
  EXPECT_EQ(of({.pending = of_a_child, .caught = of_a_child}), Interruption::by_answer);
}

TEST(Interruption, LeavesToTheKernelWhatMayBeginAnew) {
  HeldWait futex = wait_in(202, WaitKind::words);
  const ThreadSignals signals{.pending = tenth, .caught = tenth};
  EXPECT_EQ(interruption_of(futex, signals, Program()), Interruption::by_answer);
  futex.deadline.reset();
  EXPECT_EQ(interruption_of(futex, signals, Program()), Interruption::by_kernel);
}

}  // namespace signals_test
}  // namespace holdfast::rest
