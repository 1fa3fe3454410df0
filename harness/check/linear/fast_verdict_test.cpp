// What a fast check says besides yes and no, for each cause on a history written out: who, in which line,
// with which sessions. Each answer is compared with the general checker's, too. Then: copies go their own
// ways.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "harness/check/linear/fast.h"
#include "harness/check/linear/test_histories.h"
#include "harness/check/linear/test_verdicts.h"
#include "harness/check/linear/written_history.h"

namespace holdfast::linear {
namespace fast_verdict_test {

using ::testing::ElementsAre;
using ::testing::FieldsAre;
using ::testing::IsEmpty;

void show(FastCheck& check, const WrittenHistory& history, Position from = 0) {
  for (Position position = from; position < history.events().size(); ++position) {
    check.observe(history.events()[position], position);
  }
}

FastVerdict verdict_of(const std::string& model, const WrittenHistory& history, Reading reading = {}) {
  return fast_verdict(model_called(model), history.events(), reading);
}

bool is_linearizable(const std::string& model, const WrittenHistory& history) {
  return general_answer(model_called(model), history.events()) == Answer::linearizable;
}

// Who, and the lines of the acquire and the grant.
struct Who {
  ClientNumber client = 0;
  std::uint64_t acquire_line = 0;
  std::uint64_t grant_line = 0;
};
std::vector<Who> who(const FastVerdict& verdict) {
  std::vector<Who> sessions;
  for (const Session& session : verdict.sessions) {
    EXPECT_EQ(session.acquire_invoked + 1, session.acquire_line);
    EXPECT_EQ(session.granted + 1, session.grant_line);
    EXPECT_EQ(session.acquire_time, static_cast<std::int64_t>(session.acquire_line) * 10);
    EXPECT_EQ(session.grant_time, static_cast<std::int64_t>(session.grant_line) * 10);
    sessions.push_back({session.client, session.acquire_line, session.grant_line});
  }
  return sessions;
}

// The verdict on a history that is not linearizable, because of an event of the client in the line.
FastVerdict violation(const std::string& model, const WrittenHistory& history, FastCause cause,
                      ClientNumber client, std::uint64_t line) {
  const FastVerdict verdict = verdict_of(model, history);
  EXPECT_FALSE(is_linearizable(model, history));
  EXPECT_EQ(verdict.answer, FastAnswer::violated);
  EXPECT_EQ(verdict.cause, cause);
  EXPECT_EQ(verdict.client, client);
  EXPECT_EQ(verdict.line, line);
  EXPECT_EQ(verdict.time, static_cast<std::int64_t>(line) * 10);
  EXPECT_EQ(verdict.problem, "");
  return verdict;
}

TEST(FastVerdict, HasNothingToSayOfWhatIsLinearizable) {
  const FastVerdict verdict = verdict_of("owner-mutex", WrittenHistory().acquire(0).release(0).acquire(1));
  EXPECT_EQ(verdict.answer, FastAnswer::linearizable);
  EXPECT_EQ(verdict.cause, FastCause::none);
  EXPECT_THAT(verdict.sessions, IsEmpty());
}

TEST(FastVerdict, NamesTheHoldsThatOverlap) {
  const FastVerdict verdict =
      violation("owner-mutex", WrittenHistory().acquire(0).acquire(1), FastCause::overlap, 1, 4);
  EXPECT_EQ(verdict.position, 3U);
  EXPECT_THAT(who(verdict), ElementsAre(FieldsAre(0, 1, 2), FieldsAre(1, 3, 4)));
}

TEST(FastVerdict, NamesTheReaderThatAWriterOverlaps) {
  const FastVerdict verdict =
      violation("rw-lock", WrittenHistory().acquire_shared(0).acquire_shared(1).release(0).acquire(2),
                FastCause::overlap, 2, 8);
  EXPECT_THAT(who(verdict), ElementsAre(FieldsAre(1, 3, 4), FieldsAre(2, 7, 8)));
  EXPECT_EQ(verdict.sessions[0].mode, Mode::shared);
  EXPECT_EQ(verdict.sessions[1].mode, Mode::exclusive);
}

TEST(FastVerdict, SeesTheOverlapWhenAReleaseTurnsOutToHaveFailed) {
  const WrittenHistory history = WrittenHistory()
                                     .acquire(0)
                                     .invoke(0, Action::release)
                                     .acquire(1)
                                     .returns(0, Action::release, CallEventType::fail);
  const FastVerdict verdict = violation("owner-mutex", history, FastCause::overlap, 0, 6);
  EXPECT_THAT(who(verdict), ElementsAre(FieldsAre(0, 1, 2), FieldsAre(1, 4, 5)));
}

TEST(FastVerdict, NamesBothHoldsOfAClientThatWasGrantedAgain) {
  const FastVerdict verdict =
      violation("owner-mutex", WrittenHistory().acquire(0).acquire(0), FastCause::granted_again, 0, 4);
  EXPECT_THAT(who(verdict), ElementsAre(FieldsAre(0, 1, 2), FieldsAre(0, 3, 4)));
}

TEST(FastVerdict, PointsAtAReleaseWithoutAHold) {
  const FastVerdict verdict =
      violation("owner-mutex", WrittenHistory().acquire(0).release(1), FastCause::release_without_hold, 1, 4);
  EXPECT_THAT(verdict.sessions, IsEmpty());
}

TEST(FastVerdict, NamesTheHoldWhoseReleaseWasRefused) {
  const FastVerdict verdict = violation("owner-mutex", WrittenHistory().acquire(0).release(0).refused(),
                                        FastCause::release_refused, 0, 4);
  EXPECT_THAT(who(verdict), ElementsAre(FieldsAre(0, 1, 2)));
}

TEST(FastVerdict, NamesTheGreaterTokenFirst) {
  const WrittenHistory history =
      WrittenHistory().acquire(0, 5).release(0).acquire(1, 7).release(1).acquire(2).release(2).acquire(0, 6);
  const FastVerdict verdict = violation("fenced-mutex", history, FastCause::token_not_greater, 0, 14);
  EXPECT_THAT(who(verdict), ElementsAre(FieldsAre(1, 5, 6), FieldsAre(0, 13, 14)));
  EXPECT_EQ(verdict.sessions[0].token, 7);
  EXPECT_EQ(verdict.sessions[1].token, 6);
}

TEST(FastVerdict, ObjectsToARepeatedToken) {
  violation("fenced-mutex", WrittenHistory().acquire(0, 5).release(0).acquire(1, 5),
            FastCause::token_not_greater, 1, 6);
}

TEST(FastVerdict, NamesBothTokensThatChangedOnReentry) {
  const FastVerdict verdict = violation(
      "reentrant-fenced-mutex", WrittenHistory().acquire(0, 5).acquire(0, 6), FastCause::token_changed, 0, 4);
  EXPECT_THAT(who(verdict), ElementsAre(FieldsAre(0, 1, 2), FieldsAre(0, 3, 4)));
  EXPECT_EQ(verdict.sessions[0].token, 5);
  EXPECT_EQ(verdict.sessions[1].token, 6);
}

TEST(FastVerdict, NamesWhoOvertookWhom) {
  const WrittenHistory history =
      WrittenHistory().invoke(0, Action::acquire).invoke(1, Action::acquire).granted(1).release(1).granted(0);
  const FastVerdict verdict = violation("fifo-mutex", history, FastCause::overtaken, 0, 6);
  EXPECT_THAT(who(verdict), ElementsAre(FieldsAre(1, 2, 3), FieldsAre(0, 1, 6)));
}

TEST(FastVerdict, PointsAtTheFirstRefusalThatNobodyExplains) {
  const WrittenHistory refused =
      WrittenHistory().acquire(0).release(0).call(1, Action::try_acquire).refused();
  const FastVerdict at_the_end = violation("owner-mutex", refused, FastCause::refused_though_free, 1, 6);
  EXPECT_THAT(at_the_end.sessions, IsEmpty());
  // A later grant is too late to explain it; the verdict still points at the refusal.
  violation("owner-mutex", WrittenHistory(refused).acquire(2), FastCause::refused_though_free, 1, 6);
}

TEST(FastVerdict, NamesTheHoldOfWhoWasRefusedReentry) {
  const FastVerdict verdict =
      violation("reentrant-mutex", WrittenHistory().acquire(0).call(0, Action::try_acquire).refused(),
                FastCause::refused_to_holder, 0, 4);
  EXPECT_THAT(who(verdict), ElementsAre(FieldsAre(0, 1, 2)));
}

TEST(FastVerdict, PointsAtTheReleaseOfWhatWasNotTaken) {
  violation("mutex", WrittenHistory().acquire(0).release(1).release(0), FastCause::too_many_releases, 0, 6);
  violation("semaphore:2", WrittenHistory().release(0), FastCause::too_many_releases, 0, 2);
}

TEST(FastVerdict, PointsAtTheGrantOfWhatWasNotFree) {
  violation("mutex", WrittenHistory().acquire(0).acquire(1), FastCause::too_many_grants, 1, 4);
  violation("semaphore:2", WrittenHistory().acquire(0).acquire(0).acquire(1), FastCause::too_many_grants, 1,
            6);
}

TEST(FastVerdict, PointsAtWhoPassedAClosedLatch) {
  violation("latch:2", WrittenHistory().call(0, Action::count_down).call(1, Action::await_zero),
            FastCause::too_early, 1, 4);
}

TEST(FastVerdict, PointsAtWhomAnOpenLatchKept) {
  violation("latch:1", WrittenHistory().call(0, Action::count_down).call(1, Action::await_zero).refused(),
            FastCause::still_closed, 1, 4);
}

TEST(FastVerdict, SaysWhereItGaveUp) {
  const FastVerdict verdict =
      verdict_of("reentrant-mutex",
                 WrittenHistory().call(0, Action::acquire, CallEventType::info).release(0).acquire(1));
  EXPECT_EQ(verdict.answer, FastAnswer::search);
  EXPECT_EQ(verdict.cause, FastCause::none);
  EXPECT_EQ(verdict.line, 4U);
}

TEST(FastVerdict, SaysWhatIsWrongWithAHistoryThatMakesNoSense) {
  for (const char* const model : {"owner-mutex", "mutex"}) {
    EXPECT_EQ(verdict_of(model, WrittenHistory().granted(0)).problem, "line 1: a return without such a call");
    EXPECT_EQ(
        verdict_of(model, WrittenHistory().invoke(0, Action::acquire).invoke(0, Action::release)).problem,
        "line 2: a client calls while its call before is still open");
  }
}

TEST(FastVerdict, StandsWhateverFollows) {
  const FastVerdict verdict =
      verdict_of("owner-mutex", WrittenHistory().acquire(0).acquire(1).release(2).granted(3));
  EXPECT_EQ(verdict.cause, FastCause::overlap);
  EXPECT_EQ(verdict.line, 4U);
  EXPECT_EQ(verdict.problem, "");
}

// A history up to a failed or unknown release, and one more grant that hangs on how that is read.
struct Continued {
  std::string model;
  WrittenHistory before;
  WrittenHistory after;
};
std::vector<Continued> continued(CallEventType release) {
  const WrittenHistory before = WrittenHistory().acquire(0).invoke(0, Action::release);
  const WrittenHistory after = WrittenHistory(before).returns(0, Action::release, release).acquire(1);
  return {{"owner-mutex", before, after}, {"mutex", before, after}, {"semaphore:1", before, after}};
}

TEST(ACopyOfAFastCheck, ReadsFailedReleasesItsOwnWay) {
  for (const auto& [model, before, after] : continued(CallEventType::fail)) {
    const std::unique_ptr<FastCheck> check = make_fast_check(model_called(model));
    show(*check, before);
    const std::unique_ptr<FastCheck> copy = check->clone();
    copy->set_reading({.failed = ReleaseReading::perhaps});
    show(*copy, after, before.events().size());
    EXPECT_EQ(copy->verdict().answer, FastAnswer::linearizable) << model;
    EXPECT_FALSE(check->decided()) << model;
    show(*check, after, before.events().size());
    EXPECT_EQ(check->verdict().answer, FastAnswer::violated) << model;
    EXPECT_EQ(copy->verdict().answer, FastAnswer::linearizable) << model;
  }
}

TEST(ACopyOfAFastCheck, ReadsUnknownReleasesItsOwnWay) {
  for (const auto& [model, before, after] : continued(CallEventType::info)) {
    const std::unique_ptr<FastCheck> check = make_fast_check(model_called(model));
    show(*check, before);
    const std::unique_ptr<FastCheck> copy = check->clone();
    copy->set_reading({.unknown = ReleaseReading::nothing});
    show(*copy, after, before.events().size());
    EXPECT_EQ(copy->verdict().answer, FastAnswer::violated) << model;
    show(*check, after, before.events().size());
    EXPECT_EQ(check->verdict().answer, FastAnswer::linearizable) << model;
  }
}

TEST(ACopyOfAFastCheck, HasSeenWhatTheOriginalSawAndNoMore) {
  const WrittenHistory before = WrittenHistory().call(0, Action::count_down);
  const std::unique_ptr<FastCheck> check = make_fast_check(model_called("latch:2"));
  show(*check, before);
  const std::unique_ptr<FastCheck> copy = check->clone();
  const WrittenHistory opened =
      WrittenHistory(before).call(0, Action::count_down).call(1, Action::await_zero);
  show(*check, opened, before.events().size());
  EXPECT_EQ(check->verdict().answer, FastAnswer::linearizable);
  show(*copy, WrittenHistory(before).call(1, Action::await_zero), before.events().size());
  EXPECT_EQ(copy->verdict().answer, FastAnswer::violated);
  EXPECT_FALSE(check->decided());
}

TEST(ACopyOfAFastCheck, KeepsTheVerdict) {
  const std::unique_ptr<FastCheck> check = make_fast_check(model_called("owner-mutex"));
  show(*check, WrittenHistory().acquire(0).acquire(1));
  EXPECT_EQ(check->clone()->verdict().cause, FastCause::overlap);
}

TEST(AReading, HoldsFromNowOn) {
  const std::unique_ptr<FastCheck> check = make_fast_check(model_called("owner-mutex"));
  const WrittenHistory before = WrittenHistory().acquire(0).release(0, CallEventType::fail);
  show(*check, before);
  check->set_reading({.failed = ReleaseReading::perhaps});
  show(*check, WrittenHistory(before).acquire(1), before.events().size());
  EXPECT_EQ(check->verdict().answer, FastAnswer::violated);
}

}  // namespace fast_verdict_test
}  // namespace holdfast::linear
