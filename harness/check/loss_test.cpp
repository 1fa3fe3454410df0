// Undetected loss: two holders told by hand, and what the first is told of it.
#include "harness/check/loss.h"

#include <gtest/gtest.h>

#include "harness/check/belief.h"
#include "harness/check/test_story.h"

namespace holdfast {
namespace {

class LossTest : public ::testing::Test {
 public:  // calls are chained
  // A holds the lock when b is granted it.
  LossTest() { story.granted(1s, story.a, 1).granted(11s, story.b, 2); }
  Loss loss() {
    story.judge(check);
    return check.losses().worst();
  }
  LossTest& writes(Duration time) {
    story.tell(time, {.type = EventType::invoke,
                      .operation = Operation::write,
                      .process = story.a,
                      .session = 1,
                      .token = {}});
    return *this;
  }
  LossTest& learns(Duration time) {
    story.tell(time,
               {.type = EventType::lost_hold, .process = story.a, .thread = 1, .session = 1, .token = {}});
    return *this;
  }
  LossTest& releases(Duration time, EventType outcome) {
    story.releases(time, story.a, 1).ended(time, outcome, Operation::release, story.a, 1);
    return *this;
  }

  Story story;
  BeliefCheck check;
};

TEST_F(LossTest, WhoLearnsOfItBeforeItWritesIsToldInTime) {
  EXPECT_EQ(learns(12s).releases(13s, EventType::fail).loss(), Loss::told_before_write);
}

TEST_F(LossTest, WhoHasWrittenMeanwhileIsNot) {
  EXPECT_EQ(writes(12s).learns(13s).loss(), Loss::told_at_release);
}

TEST_F(LossTest, ARefusedReleaseTellsIt) {
  EXPECT_EQ(writes(12s).releases(13s, EventType::fail).loss(), Loss::told_at_release);
}

TEST_F(LossTest, AReleaseThatSaysAllWentWellTellsNothing) {
  EXPECT_EQ(releases(13s, EventType::ok).loss(), Loss::never_told);
}

TEST_F(LossTest, NorDoesOneThatNobodyAnswers) {
  EXPECT_EQ(releases(13s, EventType::info).loss(), Loss::never_told);
}

TEST_F(LossTest, TheDeadAreNotTold) {
  story.dies(12s, story.a);
  EXPECT_EQ(loss(), Loss::none);
}

TEST_F(LossTest, WhoHoldsItAloneLosesNothing) {
  Story alone;
  alone.granted(1s, alone.a, 1).releases(2s, alone.a, 1);
  alone.ended(2s, EventType::ok, Operation::release, alone.a, 1).granted(3s, alone.b, 2);
  alone.judge(check);
  EXPECT_EQ(check.losses().worst(), Loss::none);
}

TEST_F(LossTest, TheWorstOfSeveralStands) {
  releases(13s, EventType::ok);
  story.granted(14s, story.c, 3);  // b has not released yet
  story.releases(15s, story.b, 2).ended(15s, EventType::fail, Operation::release, story.b, 2);
  EXPECT_EQ(loss(), Loss::never_told);
}

TEST_F(LossTest, OfPermitsNobodyCanSayWhoseWasLost) {
  Story permits({.permits = 1});
  permits.context.permits = 2;
  permits.granted(1s, permits.a, 1).granted(2s, permits.b, 2).granted(3s, permits.c, 3);
  permits.judge(check);
  EXPECT_EQ(check.losses().worst(), Loss::none);
}

}  // namespace
}  // namespace holdfast
