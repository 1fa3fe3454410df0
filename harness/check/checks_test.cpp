// The smaller checks (resource, latch, errors) on hand-made histories, and the letter they all come to.
#include "harness/check/checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/check/test_story.h"

namespace holdfast {
namespace {

using ::testing::ElementsAre;

Event write_of(EventType type, ProcessId who, std::int64_t based_on, std::int64_t found) {
  Event event;
  event.type = type;
  event.operation = Operation::write;
  event.process = who;
  event.version = based_on;
  event.found_version = found;
  return event;
}

TEST(ResourceCheck, WritesFromFreshReadsHold) {
  ResourceCheck check;
  Story story;
  story.tell(1s, write_of(EventType::stored, story.a, 0, 0))
      .tell(2s, write_of(EventType::stored, story.b, 1, 1));
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(verdict.judgement, Judgement::holds);
  EXPECT_EQ(verdict.sentence, "2 writes, none from a stale read");
}

TEST(ResourceCheck, AnAcceptedWriteFromAStaleReadIsALostUpdate) {
  ResourceCheck check;
  Story story;
  story.tell(1s, write_of(EventType::stored, story.a, 0, 0))
      .tell(15400ms, write_of(EventType::stored, story.b, 0, 1));
  story.tell(16s, write_of(EventType::stored, story.c, 0, 2));
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(verdict.judgement, Judgement::violated);
  EXPECT_EQ(
      verdict.sentence,
      "at 15.400 s storage accepted b's write, made from version 0 when it was at 1: an update is lost");
  EXPECT_THAT(verdict.witness, ElementsAre(1U));
}

TEST(ResourceCheck, ARejectedStaleWriteDoesNoHarmAndIsMentioned) {
  ResourceCheck check;
  Story story;
  story.tell(1s, write_of(EventType::stored, story.a, 0, 0))
      .tell(2s, write_of(EventType::rejected, story.b, 0, 1));
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(verdict.judgement, Judgement::holds);
  EXPECT_EQ(verdict.sentence, "1 write, none from a stale read; 1 stale write was rejected");
  EXPECT_EQ(check.rejected(), 1U);
}

TEST(ResourceCheck, SellingMoreThanTheStockIsAViolation) {
  ResourceCheck check;
  Story sold_out({.stock = 2});
  sold_out.tell(1s, write_of(EventType::stored, sold_out.a, 0, 0));
  sold_out.tell(2s, write_of(EventType::stored, sold_out.b, 1, 1));
  EXPECT_EQ(sold_out.judge(check).judgement, Judgement::holds);
  Story oversold({.stock = 1});
  oversold.tell(1s, write_of(EventType::stored, oversold.a, 0, 0));
  oversold.tell(2s, write_of(EventType::stored, oversold.b, 1, 1));
  const Verdict verdict = oversold.judge(check);
  EXPECT_EQ(verdict.judgement, Judgement::violated);
  EXPECT_EQ(verdict.sentence, "2 sold of 1 in stock");
}

TEST(ResourceCheck, NothingWrittenIsNotChecked) {
  ResourceCheck check;
  Story story;
  EXPECT_EQ(story.granted(1s, story.a, 1).judge(check).judgement, Judgement::not_checked);
}

class LatchTest : public ::testing::Test {
 protected:
  Story story{CheckContext{.latch_count = 2}};
  LatchCheck check;
};

TEST_F(LatchTest, PassingAfterEveryCountDownBeganHolds) {
  story.ended(1s, EventType::invoke, Operation::count_down, story.a, 1);
  story.ended(2s, EventType::invoke, Operation::count_down, story.b,
              2);  // may have counted without an answer
  story.ended(3s, EventType::ok, Operation::await_zero, story.c, 3);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

TEST_F(LatchTest, PassingTooEarlyIsToldWithTheCount) {
  story.ended(1s, EventType::invoke, Operation::count_down, story.a, 1);
  story.ended(2s, EventType::ok, Operation::await_zero, story.c, 2);
  story.ended(3s, EventType::invoke, Operation::count_down, story.b, 3);
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(verdict.judgement, Judgement::violated);
  EXPECT_EQ(verdict.sentence, "c passed at 2.000 s after 1 of 2 count-downs");
  EXPECT_THAT(verdict.witness, ElementsAre(1U));
}

TEST_F(LatchTest, NobodyPassingOrNoLatchIsNotChecked) {
  story.ended(1s, EventType::invoke, Operation::count_down, story.a, 1);
  EXPECT_EQ(story.judge(check).judgement, Judgement::not_checked);
  Story lock;
  lock.ended(1s, EventType::ok, Operation::await_zero, lock.c, 1);
  EXPECT_EQ(lock.judge(check).judgement, Judgement::not_checked);
}

class ErrorTest : public ::testing::Test {
 protected:
  Story story;
  ErrorCheck check;
};

TEST_F(ErrorTest, AnOperationWhoseEveryAttemptTheServerRefusesNeverWorks) {
  story.granted(1s, story.a, 1);
  story.ended(2s, EventType::info, Operation::release, story.a, 1, 1, "ERR wrong number of arguments");
  story.ended(3s, EventType::info, Operation::release, story.b, 2, 1, "ERR wrong number of arguments");
  const Verdict verdict = story.judge(check);
  EXPECT_EQ(verdict.judgement, Judgement::violated);
  EXPECT_EQ(verdict.sentence, "every release ended in an error: ERR wrong number of arguments");
  EXPECT_THAT(verdict.witness, ElementsAre(2U));
}

TEST_F(ErrorTest, OneSuccessIsEnough) {
  story.granted(1s, story.a, 1).ended(2s, EventType::info, Operation::release, story.a, 1, 1, "ERR");
  story.ended(3s, EventType::ok, Operation::release, story.b, 2);
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

TEST_F(ErrorTest, ATimeoutIsNoErrorOfTheLock) {
  story.ended(1s, EventType::info, Operation::acquire, story.a, 1, 0, "timed out");
  EXPECT_EQ(story.judge(check).judgement, Judgement::not_checked);
}

TEST_F(ErrorTest, AnErrorOfStorageIsNotTheLocks) {
  story.granted(0s, story.a, 1).ended(1s, EventType::info, Operation::write, story.a, 1, 1, "ERR");
  EXPECT_EQ(story.judge(check).judgement, Judgement::holds);
}

class LetterTest : public ::testing::Test {
 protected:
  Letter letter(Story& story, RunEnd end = RunEnd::finished, bool storage_checks_tokens = false) {
    story.history.reset(story.world.kernel, false);
    checks.reset(story.context, properties, story.history);
    const Duration ended = story.record_all();
    checks.finish(ended, end);
    return checks.letter(storage_checks_tokens);
  }
  // Two holders; with a token, the second one's is the greater.
  static void tell_two_holders(Story& story) {
    story.asks(0s, story.a, 1).granted(0s, story.a, 1, 1).asks(1s, story.b, 2).granted(2s, story.b, 2, 2);
  }
  std::vector<std::string> properties;
  Checks checks;
};

TEST_F(LetterTest, AllWellIsSafe) {
  Story story;
  story.asks(0s, story.a, 1).granted(0s, story.a, 1).releases(1s, story.a, 1);
  EXPECT_EQ(letter(story), Letter::safe);
}

TEST_F(LetterTest, TwoHoldersAreAViolationAlsoIfNothingWasWritten) {
  Story story;
  tell_two_holders(story);
  EXPECT_EQ(letter(story), Letter::violated);
}

TEST_F(LetterTest, TwoHoldersAreFencedWhereStorageChecksTheLocksTokens) {
  Story story({.has_token = true});
  tell_two_holders(story);
  EXPECT_EQ(letter(story, RunEnd::finished, true), Letter::fenced);
  Story unchecked({.has_token = true});
  tell_two_holders(unchecked);
  EXPECT_EQ(letter(unchecked, RunEnd::finished, false), Letter::violated);
  Story no_tokens;
  tell_two_holders(no_tokens);
  EXPECT_EQ(letter(no_tokens, RunEnd::finished, true), Letter::violated);
}

TEST_F(LetterTest, HarmIsAViolationThoughStorageChecksTokens) {
  Story story({.has_token = true});
  tell_two_holders(story);
  story.tell(3s, write_of(EventType::stored, story.a, 0, 1));
  EXPECT_EQ(letter(story, RunEnd::finished, true), Letter::violated);
}

TEST_F(LetterTest, AViolationIsSeenOnlyInItsHarmAndATokenOnlyInARejectedWrite) {
  Story harmless;
  tell_two_holders(harmless);
  EXPECT_FALSE(checks.shows(letter(harmless)));
  Story harmful;
  tell_two_holders(harmful);
  harmful.tell(3s, write_of(EventType::stored, harmful.a, 0, 1));
  EXPECT_TRUE(checks.shows(letter(harmful)));
  Story unused({.has_token = true});
  tell_two_holders(unused);
  EXPECT_FALSE(checks.shows(letter(unused, RunEnd::finished, true)));
  Story used({.has_token = true});
  tell_two_holders(used);
  used.tell(3s, write_of(EventType::rejected, used.a, 0, 1));
  const Letter fenced = letter(used, RunEnd::finished, true);
  EXPECT_EQ(fenced, Letter::fenced);
  EXPECT_TRUE(checks.shows(fenced));
}

TEST_F(LetterTest, WhatNeedsNoHarmIsSeenInEveryRun) {
  Story bounded;
  bounded.asks(0s, bounded.a, 1).granted(30s, bounded.a, 1);
  EXPECT_TRUE(checks.shows(letter(bounded)));
  Story well;
  well.asks(0s, well.a, 1).granted(0s, well.a, 1).releases(1s, well.a, 1);
  EXPECT_TRUE(checks.shows(letter(well)));
}

TEST_F(LetterTest, TokensThatRepeatAreAViolation) {
  Story story({.has_token = true});
  story.asks(0s, story.a, 1).granted(0s, story.a, 1, 5).releases(1s, story.a, 1);
  story.asks(2s, story.b, 2).granted(2s, story.b, 2, 5);
  EXPECT_EQ(letter(story, RunEnd::finished, true), Letter::violated);
}

TEST_F(LetterTest, AWaitThatEndsIsBoundedAndOneThatDoesNotIsForEver) {
  Story bounded;
  bounded.asks(0s, bounded.a, 1).granted(30s, bounded.a, 1);
  EXPECT_EQ(letter(bounded), Letter::stuck_bounded);
  Story stuck;
  stuck.asks(0s, stuck.a, 1);
  EXPECT_EQ(letter(stuck, RunEnd::deadlock), Letter::stuck_for_ever);
}

TEST_F(LetterTest, ALockThatNeverWorksIsAnErrorAndNotMerelyStuck) {
  Story story;
  story.asks(0s, story.a, 1)
      .ended(1s, EventType::info, Operation::acquire, story.a, 1, 1, "ERR no such command");
  EXPECT_EQ(letter(story, RunEnd::deadlock), Letter::always_error);
}

TEST_F(LetterTest, TwoHoldersOutweighAWait) {
  Story story;
  story.asks(0s, story.c, 9).granted(30s, story.c, 9).releases(31s, story.c, 9);
  story.asks(40s, story.a, 1).granted(40s, story.a, 1).asks(41s, story.b, 2).granted(42s, story.b, 2);
  EXPECT_EQ(letter(story), Letter::violated);
}

TEST_F(LetterTest, OnlyThePropertiesAskedForCount) {
  properties = {"progress"};
  Story story;
  tell_two_holders(story);
  EXPECT_EQ(letter(story), Letter::safe);
  const std::vector<Verdict> verdicts = checks.verdicts(story.history);
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts.front().property, "progress");
}

TEST_F(LetterTest, WithoutAChoiceEveryPropertyHasAVerdict) {
  Story story;
  tell_two_holders(story);
  letter(story);
  std::vector<std::string> names;
  for (const Verdict& verdict : checks.verdicts(story.history)) {
    names.emplace_back(verdict.property);
  }
  EXPECT_THAT(names, ElementsAre("mutual exclusion", "fencing tokens", "resource", "latch", "re-entrancy",
                                 "progress", "fairness", "operation", "undetected loss"));
}

TEST_F(LetterTest, APropertyIsAskedForByItsIdOrByItsName) {
  for (const char* word : {"mutual-exclusion", "mutual exclusion"}) {
    properties = {word};
    Story story;
    tell_two_holders(story);
    EXPECT_EQ(letter(story), Letter::violated) << word;
  }
}

TEST_F(LetterTest, WhereNothingThatCountsWasCheckedThereIsNoLetterButU) {
  properties = {"fencing-tokens"};
  Story story;
  tell_two_holders(story);
  EXPECT_EQ(letter(story), Letter::undecided);
  EXPECT_FALSE(checks.has_checked());
}

TEST_F(LetterTest, ARunThatWasMerelyStoppedIsUndecidedAndOneThatRepeatsItselfIsStuck) {
  Story stopped;
  stopped.asks(1s, stopped.b, 1);
  EXPECT_EQ(letter(stopped, RunEnd::event_limit), Letter::undecided);
  Story repeats;
  repeats.asks(1s, repeats.b, 1);
  EXPECT_EQ(letter(repeats, RunEnd::repeats), Letter::stuck_for_ever);
}

TEST_F(LetterTest, AClaimStandsBesideTheLetter) {
  Story story({.fair = true});
  story.asks(0s, story.a, 1).asks(1s, story.b, 2).granted(1100ms, story.b, 2).releases(1200ms, story.b, 2);
  story.granted(1300ms, story.a, 1);
  EXPECT_EQ(letter(story), Letter::safe);
  EXPECT_THAT(checks.broken_claims(), ElementsAre("fairness"));
}

TEST(CheckCatalog, HasARowForEachCheckInItsPlace) {
  std::size_t place = 0;
  for (const CheckRow& row : check_catalog()) {
    EXPECT_EQ(static_cast<std::size_t>(row.check), place++);
    EXPECT_EQ(&row_of(row.check), &row);
    EXPECT_EQ(find_check(row.id), &row);
    EXPECT_EQ(find_check(row.name), &row);
    EXPECT_EQ(row.id.find(' '), std::string_view::npos) << row.id;
    EXPECT_FALSE(row.sentence.empty());
  }
  EXPECT_EQ(find_check("mutual exclusoin"), nullptr);
}

TEST(Letters, StandFromBestToWorstAndReadBack) {
  const std::vector<std::pair<Letter, std::string>> in_order = {
      {Letter::not_applicable, "–"}, {Letter::safe, "S"},         {Letter::stuck_bounded, "L"},
      {Letter::undecided, "U"},      {Letter::always_error, "E"}, {Letter::stuck_for_ever, "D"},
      {Letter::fenced, "F"},         {Letter::violated, "V"}};
  for (std::size_t index = 0; index < in_order.size(); ++index) {
    EXPECT_EQ(to_text(in_order[index].first), in_order[index].second);
    EXPECT_EQ(letter_from(in_order[index].second), in_order[index].first);
    EXPECT_FALSE(to_sentence(in_order[index].first).empty());
    if (index > 0) {
      EXPECT_LT(in_order[index - 1].first, in_order[index].first);
    }
  }
  EXPECT_EQ(letter_from("-"), Letter::not_applicable);
  EXPECT_EQ(letter_from("X"), std::nullopt);
}

}  // namespace
}  // namespace holdfast
