#include "harness/explore/exploration/left_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holdfast {
namespace left_out_test {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

PieceName named(const ExplorerEntry& explorer, std::uint32_t most_faults) {
  PieceName name;
  name.strategy = explorer.name;
  name.most_faults = most_faults;
  name.seed = 7;
  return name;
}

TEST(LeftOut, EveryStrategyThatEndsSaysWhatItDoesNotTurn) {
  for (const ExplorerEntry& explorer : all_explorers()) {
    const std::vector<std::string> words = left_out(named(explorer, 2));
    if (!explorer.ends_by_itself) {
      EXPECT_THAT(words, IsEmpty()) << explorer.name;
      continue;
    }
    EXPECT_THAT(words, Contains(HasSubstr("times"))) << explorer.name;
    EXPECT_THAT(words, Contains(HasSubstr("threads of a process"))) << explorer.name;
    EXPECT_THAT(words, Contains("faults after the 200th step of a process")) << explorer.name;
    EXPECT_THAT(left_out(named(explorer, 0)), Not(Contains(HasSubstr("fault")))) << explorer.name;
  }
}

TEST(LeftOut, SaysWhichWorkWasTried) {
  PieceName name = named(*find_explorer("exhaustive"), 1);
  EXPECT_THAT(left_out(name), Contains("other shapes of work than the plain one"));
  name.shape = "long-work";
  EXPECT_THAT(left_out(name), Contains("other work than in the shape long-work"));
  EXPECT_THAT(left_out(named(*find_explorer("every-step"), 1)),
              Contains("work that is in none of its shapes"));
}

TEST(LeftOut, WhoDoesNotTurnTheOrderOfMessagesNamesItsSeed) {
  EXPECT_THAT(left_out(named(*find_explorer("every-step"), 1)),
              Contains("other times and orders of messages than those of seed 7"));
  EXPECT_THAT(left_out(named(*find_explorer("exhaustive"), 1)), Not(Contains(HasSubstr("orders"))));
}

}  // namespace left_out_test
}  // namespace holdfast
