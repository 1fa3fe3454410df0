// Progress: at once, bounded or never, and what excuses a wait. The grace is 1.5 s.
#include "harness/check/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/check/test_story.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ProgressTest : public ::testing::Test {
 protected:
  Story story;
  ProgressCheck check;
};

TEST_F(ProgressTest, AFreeLockGrantedWithinTheGraceIsAtOnce) {
  story.asks(1s, story.a, 1).granted(2500ms, story.a, 1);
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(verdict.judgement, Judgement::holds);
  EXPECT_EQ(check.progress(), Progress::at_once);
  EXPECT_EQ(check.longest_wait(), 1500ms);
  EXPECT_THAT(verdict.witness, IsEmpty());
}

TEST_F(ProgressTest, WaitingForAHolderDoesNotCount) {
  story.asks(0s, story.a, 1).granted(0s, story.a, 1).asks(1s, story.b, 2).releases(60s, story.a, 1);
  story.granted(61s, story.b, 2);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
  EXPECT_EQ(check.longest_wait(), 1s);
}

TEST_F(ProgressTest, AWaitBehindTheDeadIsBoundedAndToldWithItsLength) {
  story.asks(0s, story.a, 1).granted(0s, story.a, 1).asks(1s, story.b, 2).dies(2s, story.a);
  story.granted(10s, story.b, 2);
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(verdict.judgement, Judgement::violated);
  EXPECT_EQ(check.progress(), Progress::bounded);
  EXPECT_EQ(verdict.sentence, "b stood before a free lock for 8.000 s, then got it");
  EXPECT_THAT(verdict.witness, ElementsAre(2U));
}

TEST_F(ProgressTest, AWaiterStillThereAtADeadlockIsStuck) {
  story.asks(0s, story.a, 1).granted(0s, story.a, 1).asks(1s, story.b, 2).dies(2s, story.a);
  const Verdict verdict = story.judge(check, RunEnd::deadlock);
  EXPECT_EQ(check.progress(), Progress::stuck);
  EXPECT_THAT(verdict.sentence, ::testing::HasSubstr("b stood before a free lock"));
  EXPECT_THAT(verdict.sentence, ::testing::HasSubstr("never got it (deadlock"));
  EXPECT_THAT(verdict.witness, ElementsAre(2U));
}

TEST_F(ProgressTest, AWaiterStillThereWhereAllRepeatsItselfIsStuck) {
  story.asks(1s, story.b, 1);
  const Verdict verdict = story.judge(check, RunEnd::repeats, 100s);
  EXPECT_EQ(check.progress(), Progress::stuck);
  EXPECT_EQ(check.longest_wait(), 99s);
  EXPECT_EQ(verdict.judgement, Judgement::violated);
}

TEST_F(ProgressTest, AWaiterStillThereAtALimitIsUndecidedHoweverLongItWaited) {
  for (const RunEnd end : {RunEnd::time_limit, RunEnd::event_limit}) {
    Story waits;
    waits.asks(1s, waits.b, 1);
    const Verdict verdict = waits.judge(check, end, 100s);
    EXPECT_EQ(check.progress(), Progress::undecided);
    EXPECT_EQ(verdict.judgement, Judgement::unknown);
    EXPECT_THAT(verdict.sentence, ::testing::HasSubstr("b had stood before a free lock for 99.000 s"));
    EXPECT_THAT(verdict.sentence, ::testing::HasSubstr("may yet have got it (stopped"));
  }
}

TEST_F(ProgressTest, AWaiterBehindALivingHolderIsNeverStuck) {
  for (const RunEnd end : {RunEnd::time_limit, RunEnd::repeats, RunEnd::deadlock}) {
    Story waits;
    waits.asks(0s, waits.a, 1).granted(0s, waits.a, 1).asks(1s, waits.b, 2);
    waits.judge(check, end, 100s);
    EXPECT_EQ(check.progress(), Progress::undecided);
  }
}

TEST_F(ProgressTest, WhereNobodyAskedThereIsNothingToJudge) {
  story.granted(1s, story.a, 1);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
  Story nobody;
  nobody.dies(1s, nobody.a);
  EXPECT_EQ(nobody.judge(check).judgement, Judgement::not_checked);
}

TEST_F(ProgressTest, AFaultThatExcusesWaitingStopsTheCount) {
  story.excuse(0s, EventType::fault_begin).asks(1s, story.b, 1).excuse(20s, EventType::fault_end);
  story.granted(21s, story.b, 1);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
  EXPECT_EQ(check.longest_wait(), 1s);
}

TEST_F(ProgressTest, OneOfTwoExcusesIsEnough) {
  story.excuse(0s, EventType::fault_begin).excuse(1s, EventType::fault_begin).asks(1s, story.b, 1);
  story.excuse(5s, EventType::fault_end).excuse(20s, EventType::fault_end).granted(21s, story.b, 1);
  story.judge(check);
  EXPECT_EQ(check.longest_wait(), 1s);
}

TEST_F(ProgressTest, AFaultThatDoesNotExcuseChangesNothing) {
  story.tell(0s, {.type = EventType::fault_begin, .process = story.a, .token = {}, .value = 0});
  story.asks(1s, story.b, 1).granted(21s, story.b, 1);
  story.judge(check);
  EXPECT_EQ(check.longest_wait(), 20s);
}

TEST_F(ProgressTest, WhoFailsAndAsksAgainHasWaitedAllAlong) {
  story.asks(0s, story.a, 1).ended(1s, EventType::fail, Operation::acquire, story.a, 1).asks(2s, story.a, 2);
  story.granted(9s, story.a, 2);
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(check.longest_wait(), 9s);
  EXPECT_THAT(verdict.witness, ElementsAre(0U));
}

TEST_F(ProgressTest, TheDeadDoNotWait) {
  story.asks(0s, story.a, 1).dies(1s, story.a);
  story.judge(check, RunEnd::deadlock, 100s);
  EXPECT_NE(check.progress(), Progress::stuck);
}

TEST_F(ProgressTest, AReaderIsNotHeldUpByAReader) {
  story.granted(0s, story.a, 1, {}, Mode::shared).asks(1s, story.b, 2, Mode::shared);
  story.granted(5s, story.b, 2, {}, Mode::shared);
  story.judge(check);
  EXPECT_EQ(check.longest_wait(), 4s);
}

TEST_F(ProgressTest, WhoWaitsBehindAStrangerThatHoldsInEarnestWaitsRightly) {
  story.context.stranger_is_set = true;
  story.context.stranger = story.c;
  story.granted(0s, story.c, 1).asks(1s, story.b, 2).releases(10s, story.c, 1).granted(11s, story.b, 2);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

TEST_F(ProgressTest, GrantsAreCounted) {
  story.granted(0s, story.a, 1).releases(1s, story.a, 1).granted(2s, story.b, 2);
  story.judge(check);
  EXPECT_EQ(check.grants(), 2U);
}

TEST_F(ProgressTest, ALatchBlocksUntilAllCountedDown) {
  story.context.latch_count = 2;
  story.ended(0s, EventType::invoke, Operation::await_zero, story.c, 1);
  story.ended(5s, EventType::ok, Operation::count_down, story.a, 2);
  story.ended(9s, EventType::ok, Operation::count_down, story.b, 3);
  story.ended(10s, EventType::ok, Operation::await_zero, story.c, 1);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
  EXPECT_EQ(check.longest_wait(), 1s);
}

TEST_F(ProgressTest, ALatchWhoseCountersDiedIsStuck) {
  story.context.latch_count = 2;
  story.ended(0s, EventType::invoke, Operation::await_zero, story.c, 1);
  story.ended(5s, EventType::ok, Operation::count_down, story.a, 2).dies(6s, story.b);
  const Verdict verdict = story.judge(check, RunEnd::deadlock);
  EXPECT_EQ(check.progress(), Progress::stuck);
  EXPECT_THAT(verdict.witness, ElementsAre(0U));
}

class FairnessTest : public ::testing::Test {
 protected:
  Verdict judge() {
    story.run({&progress, &fairness});
    return fairness.verdict(story.history);
  }
  Story story{CheckContext{.fair = true}};
  ProgressCheck progress;
  FairnessCheck fairness{progress};
};

TEST_F(FairnessTest, InTheOrderOfRequestsHolds) {
  story.asks(0s, story.a, 1).asks(1s, story.b, 2).granted(2s, story.a, 1).releases(3s, story.a, 1);
  story.granted(4s, story.b, 2);
  EXPECT_EQ(judge().judgement, Judgement::holds);
}

TEST_F(FairnessTest, AnOvertakingIsCounted) {
  story.asks(0s, story.a, 1).asks(1s, story.b, 2).asks(2s, story.c, 3).granted(3s, story.c, 3);
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.judgement, Judgement::violated);
  EXPECT_EQ(verdict.sentence, "2 times a later request was granted before an earlier one");
}

TEST_F(FairnessTest, RequestsWithinAMillisecondHaveNoOrder) {
  story.asks(1000us, story.a, 1).asks(1900us, story.b, 2).granted(2s, story.b, 2);
  EXPECT_EQ(judge().judgement, Judgement::holds);
}

TEST_F(FairnessTest, ALockThatDoesNotClaimItIsCountedButNotJudged) {
  story.context.fair = false;
  story.asks(0s, story.a, 1).asks(1s, story.b, 2).granted(2s, story.b, 2);
  const Verdict verdict = judge();
  EXPECT_EQ(verdict.judgement, Judgement::not_checked);
  EXPECT_THAT(verdict.sentence,
              ::testing::EndsWith("1 time a later request was granted before an earlier one"));
}

}  // namespace
}  // namespace holdfast
