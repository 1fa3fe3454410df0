// What holds costs nothing and says nothing; what does not says what must hold, where, and how to see it
// again.
#include "harness/kernel/require.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace holdfast::require_test {

class Command final : public Replay {
 public:
  explicit Command(std::string text) : text_(std::move(text)) {}
  std::string command() const override { return text_; }

 private:
  std::string text_;
};

std::string sentence_of_a_broken_one() {
  try {
    require(false, "water runs downhill");
  } catch (const BrokenInvariant& broken) {
    return broken.what();
  }
  return "nothing was thrown";
}

TEST(Require, WhatHoldsIsSilent) {
  EXPECT_NO_THROW(require(true, "water runs downhill"));
}

TEST(Require, ABrokenOneSaysWhatMustHoldAndWhere) {
  const std::string sentence = sentence_of_a_broken_one();
  EXPECT_NE(sentence.find("this must hold and does not: water runs downhill"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("(harness/kernel/require_test.cpp:"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("no run was going on"), std::string::npos) << sentence;
}

TEST(Require, ABrokenOneNamesTheRunAndWhatTheRunIsPartOf) {
  const Command matrix("holdfast matrix");
  const ReplayScope outer(matrix);
  {
    const Command run("holdfast run crash --seed 3");
    const ReplayScope inner(run);
    EXPECT_NE(sentence_of_a_broken_one().find(
                  "to see it again: holdfast run crash --seed 3, within holdfast matrix"),
              std::string::npos)
        << sentence_of_a_broken_one();
  }
  EXPECT_TRUE(sentence_of_a_broken_one().ends_with("to see it again: holdfast matrix"))
      << sentence_of_a_broken_one();
}

TEST(Require, AScopeWithoutACommandLeavesItToTheOneAround) {
  const Command matrix("holdfast matrix");
  const ReplayScope outer(matrix);
  const Command silent("");
  const ReplayScope inner(silent);
  EXPECT_EQ(replay_commands(), "holdfast matrix");
}

TEST(Require, AThreadKnowsOnlyWhatItIsGiven) {
  const Command matrix("holdfast matrix");
  const ReplayScope outer(matrix);
  std::string alone;
  std::string adopted;
  std::thread thread([&, handed_on = ReplayScope::innermost()] {
    alone = replay_commands();
    const ReplayScope inner(handed_on);
    adopted = replay_commands();
  });
  thread.join();
  EXPECT_EQ(alone, "");
  EXPECT_EQ(adopted, "holdfast matrix");
}

struct BreaksAtItsEnd {
  ~BreaksAtItsEnd() { require(false, "an end is an end"); }
};

TEST(Require, WhereNothingCanBeThrownTheProgramEndsWithTheSentenceAndNoCore) {
  const auto end_in_a_destructor = [] {
    tell_broken_invariants();
    const Command run("holdfast run crash --seed 3");
    const ReplayScope scope(run);
    const BreaksAtItsEnd object;
  };
  EXPECT_EXIT(end_in_a_destructor(), testing::ExitedWithCode(exit_broken_invariant),
              "holdfast: a bug in holdfast: .*an end is an end .*holdfast run crash --seed 3");
}

TEST(Require, WhatFollowsWhileTheFirstIsOnItsWayOutDoesNotHideIt) {
  const auto end_twice = [] {
    tell_broken_invariants();
    const BreaksAtItsEnd object;
    require(false, "the first counts");
  };
  EXPECT_EXIT(end_twice(), testing::ExitedWithCode(exit_broken_invariant), "the first counts");
}

}  // namespace holdfast::require_test
