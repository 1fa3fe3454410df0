// Programs whose threads end while others wait, and such as do not want to be seen.
#include <gtest/gtest.h>

#include "harness/machine/rest/test_held.h"
#include "harness/machine/rest/turns.h"

namespace holdfast::rest {
namespace ends_test {

using namespace test_held;

using EndsTest = Held;

TEST_F(EndsTest, OthersGoOnWhenTheFirstThreadEnds) {
  const std::string program = compiled(directory_, "ends.c");
  for (const char* how : {"first ends", "descriptors"}) {
    Supervisor supervisor;
    const std::size_t number = start(supervisor, {program, how});
    run_to_end(supervisor, number);
    EXPECT_EQ(said(number), "0 after 3500000000\n") << how;
    std::filesystem::remove(output_of(number));
  }
}

// Who ends its process ends all that wait in it: nothing of it is at rest, be it for a moment.
TEST_F(EndsTest, NobodyGoesOnWhenOneQuits) {
  const std::string program = compiled(directory_, "ends.c");
  for (int run = 0; run < 12; ++run) {
    Supervisor supervisor;
    const std::size_t number = start(supervisor, {program, run % 2 == 0 ? "first quits" : "another quits"});
    run_to_end(supervisor, number);
    EXPECT_EQ(supervisor.now_ns(), second_ns) << run;
    EXPECT_EQ(supervisor.process(number).ending(), "exit code 3");
  }
}

TEST_F(EndsTest, OneWhoDoesNotWantToBeSeenIsHeldAllTheSame) {
  Supervisor supervisor;
  const std::size_t number = start(supervisor, {compiled(directory_, "ends.c"), "unseen"});
  run_to_end(supervisor, number);
  EXPECT_EQ(supervisor.now_ns(), 2 * second_ns);
  EXPECT_EQ(said(number), "slept\n");
}

TEST(Turns, OneWhoTakesThemOnAndOnIsGivenMoreTimeForFewer) {
  Turns turns;
  const auto taken = [&] {
    int number = 1;
    for (turns.begin_instant(); !turns.is_late(); ++number) {
    }
    return number;
  };
  EXPECT_EQ(taken(), 101);
  EXPECT_EQ(turns.next_late_ns(), microsecond_ns);
  EXPECT_EQ(taken(), 101);
  EXPECT_EQ(turns.next_late_ns(), 2 * microsecond_ns);
  EXPECT_EQ(taken(), 51);
  for (int more = 0; more < 20; ++more) {
    turns.next_late_ns();
  }
  EXPECT_EQ(turns.next_late_ns(), millisecond_ns);
  EXPECT_EQ(taken(), 2);
  turns.begin_anew();
  EXPECT_EQ(taken(), 101);
}

}  // namespace ends_test
}  // namespace holdfast::rest
