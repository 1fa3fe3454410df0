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

}  // namespace
}  // namespace holdfast
