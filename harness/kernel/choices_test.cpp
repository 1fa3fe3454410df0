// The door for what a run does not compute: streams do not disturb each other, and the log holds it all.
#include "harness/kernel/choices.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "harness/kernel/random_strategy.h"

namespace holdfast {
namespace {

struct Door {
  explicit Door(std::uint64_t seed) {
    strategy.reset(seed);
    choices.reset(strategy);
  }
  std::vector<std::uint64_t> draw(StreamId stream, int count) {
    std::vector<std::uint64_t> drawn;
    for (int index = 0; index < count; ++index) {
      drawn.push_back(choices.choose(stream, 1000));
    }
    return drawn;
  }
  RandomStrategy strategy;
  Choices choices;
};

TEST(Choices, OneMoreDrawInOneStreamShiftsNothingInAnother) {
  Door plain(7);
  const StreamId plain_jitter = plain.choices.open({"jitter", 1, 2});
  Door disturbed(7);
  const StreamId noise = disturbed.choices.open({"noise", 1, 2});
  disturbed.draw(noise, 3);
  const StreamId jitter = disturbed.choices.open({"jitter", 1, 2});
  std::vector<std::uint64_t> interleaved;
  for (int index = 0; index < 10; ++index) {
    interleaved.push_back(disturbed.choices.choose(jitter, 1000));
    disturbed.draw(noise, 1);
  }
  EXPECT_EQ(interleaved, plain.draw(plain_jitter, 10));
}

TEST(Choices, StreamsDifferByNameByEitherNumberAndBySeed) {
  Door door(7);
  const std::vector<std::uint64_t> reference = door.draw(door.choices.open({"jitter", 1, 2}), 10);
  EXPECT_NE(door.draw(door.choices.open({"latency", 1, 2}), 10), reference);
  EXPECT_NE(door.draw(door.choices.open({"jitter", 2, 2}), 10), reference);
  EXPECT_NE(door.draw(door.choices.open({"jitter", 1, 1}), 10), reference);
  EXPECT_NE(door.draw(door.choices.open({"jitter", 2, 1}), 10), reference);
  Door other(8);
  EXPECT_NE(other.draw(other.choices.open({"jitter", 1, 2}), 10), reference);
}

TEST(Choices, AChoiceWithoutAlternativesIsNeitherDrawnNorLogged) {
  Door door(7);
  const StreamId stream = door.choices.open({"jitter", 1, 2});
  EXPECT_EQ(door.choices.choose(stream, 1), 0U);
  EXPECT_EQ(door.choices.choose(stream, 0), 0U);
  EXPECT_TRUE(door.choices.log().empty());
  Door untouched(7);
  EXPECT_EQ(door.draw(stream, 5), untouched.draw(untouched.choices.open({"jitter", 1, 2}), 5));
}

TEST(Choices, TheLogSaysWhoChoseWhatOfHowMany) {
  Door door(7);
  const StreamId first = door.choices.open({"first", 0, 0});
  const StreamId second = door.choices.open({"second", 3, 4});
  const std::uint64_t one = door.choices.choose(second, 10);
  const std::uint64_t two = door.choices.choose(first, 20);
  ASSERT_EQ(door.choices.log().size(), 2U);
  EXPECT_EQ(to_text(door.choices.name(door.choices.log()[0].stream)), "second(3,4)");
  EXPECT_EQ(door.choices.log()[0].options, 10U);
  EXPECT_EQ(door.choices.log()[0].picked, one);
  EXPECT_EQ(to_text(door.choices.name(door.choices.log()[1].stream)), "first(0,0)");
  EXPECT_EQ(door.choices.log()[1].picked, two);
}

TEST(Choices, AResetForgetsStreamsAndLog) {
  Door door(7);
  const std::vector<std::uint64_t> before = door.draw(door.choices.open({"jitter", 1, 2}), 5);
  door.strategy.reset(7);
  door.choices.reset(door.strategy);
  EXPECT_TRUE(door.choices.log().empty());
  EXPECT_EQ(door.draw(door.choices.open({"jitter", 1, 2}), 5), before);
}

RC_GTEST_PROP(RandomStrategyProperty, AnswersBelowTheNumberOfOptions, (std::uint64_t seed)) {
  Door door(seed);
  const StreamId stream = door.choices.open({"any", 0, 0});
  const auto options = *rc::gen::inRange<std::uint64_t>(2, UINT64_MAX);
  for (int index = 0; index < 20; ++index) {
    RC_ASSERT(door.choices.choose(stream, options) < options);
  }
}

TEST(RandomStrategy, GivesEveryOptionAboutEquallyOften) {
  Door door(3);
  const StreamId stream = door.choices.open({"any", 0, 0});
  std::vector<int> seen(8);
  for (int index = 0; index < 8000; ++index) {
    ++seen[door.choices.choose(stream, 8)];
  }
  for (const int count : seen) {
    EXPECT_NEAR(count, 1000, 150);
  }
}

}  // namespace
}  // namespace holdfast
