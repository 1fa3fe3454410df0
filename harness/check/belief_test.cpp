// Belief on hand-made histories: who may hold at the same time, and how a violation is told.
#include "harness/check/belief.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/check/test_story.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class BeliefTest : public ::testing::Test {
 protected:
  BeliefCheck check;
};

TEST_F(BeliefTest, OneAfterTheOtherIsFine) {
  Story story;
  story.granted(1s, story.a, 1).releases(2s, story.a, 1).granted(2s, story.b, 2).releases(3s, story.b, 2);
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(verdict.judgement, Judgement::holds);
  EXPECT_EQ(verdict.property, "mutual exclusion");
  EXPECT_THAT(verdict.witness, IsEmpty());
}

TEST_F(BeliefTest, TwoAtOnceIsToldWithNamesTimesAndWitnesses) {
  Story story;
  story.asks(0s, story.a, 1).granted(1s, story.a, 1).asks(2s, story.b, 2).granted(11500ms, story.b, 2);
  story.releases(16s, story.a, 1).releases(17s, story.b, 2);
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(verdict.judgement, Judgement::violated);
  EXPECT_EQ(verdict.sentence,
            "a believed to hold the lock since 1.000 s when b got it at 11.500 s; both did for 4.500 s");
  EXPECT_THAT(verdict.witness, ElementsAre(1U, 3U));
}

TEST_F(BeliefTest, AnOverlapThatNeverEndsSaysSo) {
  Story story;
  story.granted(1s, story.a, 1).granted(2s, story.b, 2);
  EXPECT_EQ(
      story.judge(check).sentence,
      "a believed to hold the lock since 1.000 s when b got it at 2.000 s; both did to the end of the run");
}

TEST_F(BeliefTest, OnlyTheFirstConflictIsToldAndItsEnd) {
  Story story;
  story.granted(1s, story.a, 1).granted(2s, story.b, 2).granted(3s, story.c, 3).releases(4s, story.c, 3);
  story.releases(6s, story.b, 2);
  const Verdict verdict = story.judge(check);
  EXPECT_THAT(verdict.witness, ElementsAre(0U, 1U));
  EXPECT_THAT(verdict.sentence, ::testing::EndsWith("both did for 4.000 s"));
}

TEST_F(BeliefTest, AHoldEndsWhenItsReleaseBeginsWhateverComesOfIt) {
  Story story;
  story.granted(1s, story.a, 1).releases(2s, story.a, 1).granted(3s, story.b, 2);
  story.ended(4s, EventType::info, Operation::release, story.a, 1);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

TEST_F(BeliefTest, AnAcquireWithoutAnAnswerIsNoHold) {
  Story story;
  story.asks(1s, story.a, 1).ended(2s, EventType::info, Operation::acquire, story.a, 1);
  story.asks(1s, story.c, 2)
      .ended(2s, EventType::fail, Operation::acquire, story.c, 2)
      .granted(3s, story.b, 3);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

TEST_F(BeliefTest, TheDeadHoldNothing) {
  Story story;
  story.granted(1s, story.a, 1).dies(2s, story.a).granted(3s, story.b, 2);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

TEST_F(BeliefTest, TheDeathOfOneThreadEndsOnlyItsOwnHold) {
  Story story;
  story.granted(1s, story.a, 1).dies(2s, story.a, 2).granted(3s, story.b, 2);
  EXPECT_EQ(story.judge(check).judgement, Judgement::violated);
}

TEST_F(BeliefTest, WhoLearnsOfTheLossHoldsNoMore) {
  Story story;
  story.granted(1s, story.a, 1);
  story.tell(2s, {.type = EventType::lost_hold, .process = story.a, .session = 1, .token = {}});
  story.granted(3s, story.b, 2);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

TEST_F(BeliefTest, TwoThreadsOfOneProcessAreTwo) {
  Story story;
  story.granted(1s, story.a, 1);
  story.tell(2s, {.type = EventType::ok,
                  .operation = Operation::acquire,
                  .process = story.a,
                  .thread = 2,
                  .session = 2,
                  .token = {}});
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(verdict.judgement, Judgement::violated);
  EXPECT_THAT(verdict.sentence,
              ::testing::HasSubstr("a believed to hold the lock since 1.000 s when a:2 got it"));
}

TEST_F(BeliefTest, AReentrantHoldLastsUntilEveryAcquireIsReleased) {
  Story story({.reentrant = true});
  story.granted(1s, story.a, 1).granted(2s, story.a, 2).releases(3s, story.a, 2).granted(4s, story.b, 3);
  EXPECT_EQ(story.judge(check).judgement, Judgement::violated);
  Story released({.reentrant = true});
  released.granted(1s, released.a, 1).granted(2s, released.a, 2).releases(3s, released.a, 2);
  released.releases(4s, released.a, 1).granted(5s, released.b, 3);
  EXPECT_EQ(released.judge(check).judgement, Judgement::holds);
}

// One rule, whatever the lock claims: long before its lease can have ended a second grant is a re-entry.
TEST_F(BeliefTest, WhoIsGrantedTheLockAgainAtOnceHasReenteredItWhateverItClaims) {
  for (const CheckContext& context :
       {CheckContext{.reentrant = true}, CheckContext{}, CheckContext{.lease = 10s}}) {
    Story story(context);
    story.granted(1s, story.a, 1).granted(2s, story.a, 2).releases(3s, story.a, 2).granted(4s, story.b, 3);
    EXPECT_EQ(story.judge(check).judgement, Judgement::violated);
  }
}

TEST_F(BeliefTest, ALockThatIsNotReentrantGrantedAgainAfterItsLeaseBeginsANewHold) {
  Story story({.lease = 10s});
  story.granted(1s, story.a, 1).granted(11s, story.a, 2).releases(12s, story.a, 2).granted(13s, story.b, 3);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

TEST_F(BeliefTest, WhereNobodyHeldTheLockThereIsNothingToJudge) {
  Story story;
  story.asks(1s, story.a, 1).dies(2s, story.a);
  EXPECT_EQ(story.judge(check).judgement, Judgement::not_checked);
}

TEST_F(BeliefTest, ReadersShareAndAWriterDoesNot) {
  Story readers;
  readers.granted(1s, readers.a, 1, {}, Mode::shared).granted(2s, readers.b, 2, {}, Mode::shared);
  EXPECT_EQ(readers.judge(check).judgement, Judgement::holds);
  Story writer;
  writer.granted(1s, writer.a, 1, {}, Mode::shared).granted(2s, writer.b, 2);
  EXPECT_EQ(writer.judge(check).judgement, Judgement::violated);
  Story reader;
  reader.granted(1s, reader.a, 1).granted(2s, reader.b, 2, {}, Mode::shared);
  EXPECT_EQ(reader.judge(check).judgement, Judgement::violated);
}

TEST_F(BeliefTest, AWriterMayReadWhatItHolds) {
  Story story({.reentrant = true});
  story.granted(1s, story.a, 1).granted(2s, story.a, 2, {}, Mode::shared).releases(3s, story.a, 1);
  story.granted(4s, story.b, 3, {}, Mode::shared);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

TEST_F(BeliefTest, AsManyHoldAsThereArePermits) {
  Story enough({.permits = 2});
  enough.granted(1s, enough.a, 1).granted(2s, enough.b, 2).releases(3s, enough.a, 1).granted(3s, enough.c, 3);
  EXPECT_EQ(enough.judge(check).judgement, Judgement::holds);
  Story too_many({.permits = 2});
  too_many.granted(1s, too_many.a, 1).granted(2s, too_many.b, 2).granted(3s, too_many.c, 3);
  const Verdict verdict = too_many.judge(check);
  EXPECT_EQ(verdict.judgement, Judgement::violated);
  EXPECT_THAT(verdict.witness, ElementsAre(0U, 2U));
}

TEST_F(BeliefTest, OnesOwnPermitsCountToo) {
  Story story({.permits = 2});
  story.granted(1s, story.a, 1).granted(2s, story.a, 2).granted(3s, story.a, 3);
  EXPECT_EQ(story.judge(check).judgement, Judgement::violated);
}

TEST_F(BeliefTest, AStrangersHoldsDoNotCountAndItsReleaseIsAWitness) {
  Story story;
  story.context.stranger_is_set = true;
  story.context.stranger = story.c;
  story.granted(1s, story.c, 1).granted(2s, story.a, 2).releases(3s, story.c, 1).granted(4s, story.b, 3);
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(verdict.property, "ownership");
  EXPECT_EQ(verdict.judgement, Judgement::violated);
  EXPECT_EQ(verdict.sentence,
            "c released a lock that was not its own: a held it since 2.000 s, and b got it at 4.000 s");
  EXPECT_THAT(verdict.witness, ElementsAre(1U, 2U, 3U));
}

TEST_F(BeliefTest, AResetForgetsTheRunBefore) {
  Story bad;
  bad.granted(1s, bad.a, 1).granted(2s, bad.b, 2);
  EXPECT_EQ(bad.judge(check).judgement, Judgement::violated);
  Story good;
  good.granted(1s, good.b, 1);
  EXPECT_EQ(good.judge(check).judgement, Judgement::holds);
}

class ReentrancyTest : public ::testing::Test {
 protected:
  ReentrancyCheck check;
};

TEST_F(ReentrancyTest, HeldAsOftenAsAcquiredHolds) {
  Story story({.reentrant = true});
  story.granted(1s, story.a, 1).granted(2s, story.a, 2).releases(3s, story.a, 2).releases(4s, story.a, 1);
  story.granted(5s, story.b, 3);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

TEST_F(ReentrancyTest, LostAfterTheFirstReleaseIsToldWithNames) {
  Story story({.reentrant = true});
  story.granted(1s, story.a, 1).granted(2s, story.a, 2).releases(3s, story.a, 2).granted(4s, story.b, 3);
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(verdict.judgement, Judgement::violated);
  EXPECT_EQ(verdict.sentence, "a had acquired twice and released less often, yet b got the lock at 4.000 s");
  EXPECT_THAT(verdict.witness, ElementsAre(0U, 3U));
}

TEST_F(ReentrancyTest, IsNotCheckedWhenNobodyAcquiredTwiceOrTheLockDoesNotClaimIt) {
  Story once({.reentrant = true});
  once.granted(1s, once.a, 1).granted(2s, once.b, 2);
  EXPECT_EQ(once.judge(check).judgement, Judgement::not_checked);
  Story simple;
  simple.granted(1s, simple.a, 1).granted(2s, simple.a, 2).granted(3s, simple.b, 3);
  EXPECT_EQ(simple.judge(check).judgement, Judgement::not_checked);
}

}  // namespace
}  // namespace holdfast
