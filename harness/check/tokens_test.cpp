// Fencing tokens: new, and greater than all that had been returned when the acquire began.
#include "harness/check/tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/check/test_story.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;

class TokenTest : public ::testing::Test {
 protected:
  TokenCheck check;
  Story story{CheckContext{.has_token = true}};
};

TEST_F(TokenTest, GrowingTokensHold) {
  story.asks(1s, story.a, 1).granted(2s, story.a, 1, 33).asks(3s, story.b, 2).granted(4s, story.b, 2, 34);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

TEST_F(TokenTest, ATokenThatIsNotGreaterThanOneReturnedBeforeIsToldWithBoth) {
  story.asks(1s, story.a, 1).granted(2s, story.a, 1, 34).asks(3s, story.b, 2).granted(4s, story.b, 2, 33);
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(verdict.judgement, Judgement::violated);
  EXPECT_EQ(verdict.sentence,
            "at 4.000 s b was granted the lock with token 33, though 34 had been returned before it asked");
  EXPECT_THAT(verdict.witness, ElementsAre(3U));
}

TEST_F(TokenTest, OverlappingAcquiresMayGetTheirTokensInEitherOrder) {
  story.asks(1s, story.a, 1).asks(2s, story.b, 2).granted(3s, story.b, 2, 34).granted(4s, story.a, 1, 33);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

TEST_F(TokenTest, WhatWasReturnedOutOfOrderStillBindsTheNextOne) {
  story.asks(1s, story.a, 1).asks(2s, story.b, 2).granted(3s, story.b, 2, 35).granted(4s, story.a, 1, 33);
  story.asks(5s, story.c, 3).granted(6s, story.c, 3, 34);
  EXPECT_THAT(story.judge(check).sentence, ::testing::HasSubstr("token 34, though 35 had been returned"));
}

TEST_F(TokenTest, OverlappingAcquiresNeverGetTheSameOne) {
  story.asks(1s, story.a, 1).asks(2s, story.b, 2).granted(3s, story.b, 2, 33).granted(4s, story.a, 1, 33);
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(verdict.sentence,
            "at 4.000 s a was granted the lock with token 33, which had been handed out before");
  EXPECT_THAT(verdict.witness, ElementsAre(3U));
}

TEST_F(TokenTest, AGrantWithoutATokenIsAViolation) {
  story.asks(1s, story.a, 1).granted(2s, story.a, 1);
  EXPECT_EQ(story.judge(check).sentence, "at 2.000 s a was granted the lock without a token");
}

TEST_F(TokenTest, TheFirstFaultStands) {
  story.asks(1s, story.a, 1).granted(2s, story.a, 1);
  story.asks(3s, story.b, 2).granted(4s, story.b, 2, 1);
  EXPECT_THAT(story.judge(check).witness, ElementsAre(1U));
}

TEST_F(TokenTest, NegativeTokensCountLikeAnyOther) {
  story.asks(1s, story.a, 1).granted(2s, story.a, 1, -5).asks(3s, story.b, 2).granted(4s, story.b, 2, -4);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

TEST_F(TokenTest, AFailedAcquireHasNone) {
  story.asks(1s, story.a, 1).ended(2s, EventType::fail, Operation::acquire, story.a, 1);
  EXPECT_EQ(story.judge(check).judgement, Judgement::not_checked);
}

TEST_F(TokenTest, ALockWithoutTokensIsNotChecked) {
  Story without;
  without.asks(1s, without.a, 1).granted(2s, without.a, 1);
  EXPECT_EQ(without.judge(check).judgement, Judgement::not_checked);
}

// A waits, and takes its token before it is granted the lock: by then a greater one is out.
TEST_F(TokenTest, WhoFollowsAnothersHoldGetsTheGreaterTokenWheneverItAsked) {
  story.asks(1s, story.a, 1).asks(2s, story.b, 2).granted(3s, story.b, 2, 34).releases(4s, story.b, 2);
  story.granted(5s, story.a, 1, 33);
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(verdict.sentence,
            "at 5.000 s a was granted the lock with token 33, after a hold with token 34 was over");
  EXPECT_THAT(verdict.witness, ElementsAre(4U));
}

TEST_F(TokenTest, WhoHeardOfItsGrantLateForAFaultMayHaveBeenGrantedItBefore) {
  story.asks(1s, story.a, 1).asks(2s, story.b, 2).excuse(2500ms, EventType::fault_begin);
  story.granted(3s, story.b, 2, 34).releases(4s, story.b, 2).excuse(4500ms, EventType::fault_end);
  story.granted(5s, story.a, 1, 33);
  story.tell(6s, {.type = EventType::rejected,
                  .operation = Operation::write,
                  .process = story.a,
                  .session = 1,
                  .token = 33});
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

TEST_F(TokenTest, ARejectionOfTheOnlyHolderIsHarm) {
  story.asks(1s, story.a, 1).granted(2s, story.a, 1, 33);
  story.tell(3s, {.type = EventType::rejected,
                  .operation = Operation::write,
                  .process = story.a,
                  .session = 1,
                  .token = 33});
  EXPECT_EQ(story.judge(check).sentence,
            "at 3.000 s storage rejected a, the only holder: token 33 had been handed out");
}

TEST_F(TokenTest, ARefusedReadingOfTheOnlyHolderIsHarmToo) {
  story.asks(1s, story.a, 1).granted(2s, story.a, 1, 33);
  story.ended(3s, EventType::fail, Operation::read, story.a, 1, 0, "stale token");
  EXPECT_EQ(story.judge(check).judgement, Judgement::violated);
}

TEST_F(TokenTest, ARejectionOfOneOfTwoHoldersIsWhatTokensAreFor) {
  story.asks(1s, story.a, 1).granted(2s, story.a, 1, 33).asks(3s, story.b, 2).granted(4s, story.b, 2, 34);
  story.releases(5s, story.b, 2);
  story.tell(6s, {.type = EventType::rejected,
                  .operation = Operation::write,
                  .process = story.a,
                  .session = 1,
                  .token = 33});
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

TEST_F(TokenTest, ReentryMayKeepOrRaiseTheTokenButNotLowerIt) {
  for (const std::int64_t inner : {33, 34}) {
    Story again({.reentrant = true, .has_token = true});
    again.asks(1s, again.a, 1)
        .granted(2s, again.a, 1, 33)
        .asks(3s, again.a, 2)
        .granted(4s, again.a, 2, inner);
    EXPECT_EQ(again.judge(check).judgement, Judgement::holds) << inner;
  }
  Story lowered({.reentrant = true, .has_token = true});
  lowered.asks(1s, lowered.a, 1).granted(2s, lowered.a, 1, 33);
  lowered.asks(3s, lowered.a, 2).granted(4s, lowered.a, 2, 32);
  EXPECT_EQ(lowered.judge(check).sentence,
            "at 4.000 s a was granted the lock again with token 32, though it had 33");
}

}  // namespace
}  // namespace holdfast
