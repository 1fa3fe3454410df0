// What the watch finds, one finding at a time, on histories written out by hand: event n, from 1, stands in
// line n and happened at n * 10 nanoseconds. hold_watch_random_test.cpp compares it with a restatement.
#include "harness/check/linear/hold_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/check/linear/test_histories.h"
#include "harness/check/linear/written_history.h"

namespace holdfast::linear {
namespace hold_watch_test {

using ::testing::ElementsAre;

HoldFindings watched(const WrittenHistory& history, const std::string& model,
                     std::optional<std::int64_t> lease_ns = {}) {
  HoldWatch watch(hold_watch_rules(model_called(model)), lease_ns);
  for (Position position = 0; position < history.events().size(); ++position) {
    watch.observe(history.events()[position], position);
  }
  watch.finish();
  return watch.findings();
}

std::vector<ClientNumber> clients_of(const Overlap& overlap) {
  std::vector<ClientNumber> clients;
  for (const Session& session : overlap.sessions) {
    clients.push_back(session.client);
  }
  return clients;
}

TEST(HoldWatch, FindsNothingInTurnsTaken) {
  const HoldFindings found =
      watched(WrittenHistory().acquire(0).release(0).acquire(1).release(1).acquire(0), "owner-mutex");
  EXPECT_EQ(found.grants, 3U);
  EXPECT_EQ(found.overlaps, 0U);
  EXPECT_FALSE(found.first_overlap);
  EXPECT_EQ(found.token_faults, 0U);
  EXPECT_EQ(found.overtakings, 0U);
  EXPECT_FALSE(found.smallest_lease_margin);
}

TEST(HoldWatch, WatchesLocksOnly) {
  EXPECT_FALSE(hold_watch_rules(model_called("register")).is_lock);
  EXPECT_FALSE(hold_watch_rules(model_called("latch:2")).is_lock);
  EXPECT_TRUE(hold_watch_rules(model_called("fifo-mutex")).is_lock);
  EXPECT_EQ(watched(WrittenHistory().acquire(0).acquire(1), "register").grants, 0U);
}

TEST(HoldWatch, SaysWhoOverlappedAndFromWhenToWhen) {
  const HoldFindings found =
      watched(WrittenHistory().acquire(0).acquire(1).release(0).release(1), "owner-mutex");
  EXPECT_EQ(found.overlaps, 1U);
  ASSERT_TRUE(found.first_overlap);
  EXPECT_THAT(clients_of(*found.first_overlap), ElementsAre(0, 1));
  EXPECT_EQ(found.first_overlap->sessions[0].acquire_line, 1U);
  EXPECT_EQ(found.first_overlap->sessions[1].grant_line, 4U);
  EXPECT_EQ(found.first_overlap->from, 40);
  EXPECT_EQ(found.first_overlap->from_line, 4U);
  EXPECT_EQ(found.first_overlap->to, 50);
  EXPECT_EQ(found.first_overlap->to_line, 5U);
  EXPECT_EQ(found.longest_overlap_ns, 10);
  EXPECT_FALSE(found.smallest_gap);
}

TEST(HoldWatch, LeavesAnOverlapThatGoesOnWithoutAnEnd) {
  const HoldFindings found = watched(WrittenHistory().acquire(0).acquire(1), "owner-mutex");
  ASSERT_TRUE(found.first_overlap);
  EXPECT_EQ(found.first_overlap->to, no_time);
  EXPECT_EQ(found.first_overlap->to_line, 0U);
  EXPECT_EQ(found.longest_overlap_ns, 0);
}

TEST(HoldWatch, KnowsTheLinesOfAnOverlapWithoutTimes) {
  const HoldFindings found =
      watched(WrittenHistory().acquire(0).acquire(1).without_time().invoke(0, Action::release).without_time(),
              "owner-mutex");
  ASSERT_TRUE(found.first_overlap);
  EXPECT_EQ(found.first_overlap->from, no_time);
  EXPECT_EQ(found.first_overlap->to, no_time);
  EXPECT_EQ(found.first_overlap->to_line, 5U);
  EXPECT_EQ(found.longest_overlap_ns, 0);
}

TEST(HoldWatch, CountsEveryOverlapAndTakesTheLongest) {
  const WrittenHistory history = WrittenHistory()
                                     .acquire(0)
                                     .acquire(1)  // from 40
                                     .release(1)  // to 50
                                     .acquire(2)  // from 80
                                     .invoke(1, Action::acquire)
                                     .invoke(0, Action::release);  // to 100
  const HoldFindings found = watched(history, "owner-mutex");
  EXPECT_EQ(found.overlaps, 2U);
  EXPECT_EQ(found.longest_overlap_ns, 20);
  EXPECT_EQ(found.first_overlap->to, 50);
}

TEST(HoldWatch, EndsAHoldWithTheInvocationOfItsReleaseWhateverBecomesOfIt) {
  for (const CallEventType type : {CallEventType::ok, CallEventType::fail, CallEventType::info}) {
    EXPECT_EQ(watched(WrittenHistory().acquire(0).release(0, type).acquire(1), "owner-mutex").overlaps, 0U);
  }
  EXPECT_EQ(watched(WrittenHistory().acquire(0).ended(0).acquire(1), "owner-mutex").overlaps, 0U);
}

TEST(HoldWatch, BeginsAHoldWithAGrantOnly) {
  const auto overlaps_after = [](CallEventType type) {
    return watched(WrittenHistory().invoke(0, Action::acquire).returns(0, Action::acquire, type).acquire(1),
                   "owner-mutex")
        .overlaps;
  };
  EXPECT_EQ(overlaps_after(CallEventType::ok), 1U);
  EXPECT_EQ(overlaps_after(CallEventType::fail), 0U);
  EXPECT_EQ(overlaps_after(CallEventType::info), 0U);
  const HoldFindings refused =
      watched(WrittenHistory().invoke(0, Action::acquire).granted(0).refused().acquire(1), "owner-mutex");
  EXPECT_EQ(refused.overlaps, 0U);
  EXPECT_EQ(refused.grants, 1U);
}

TEST(HoldWatch, TakesAGrantAfterTheClientEndedForNoHold) {
  const HoldFindings found =
      watched(WrittenHistory().invoke(0, Action::acquire).ended(0).granted(0).acquire(1), "owner-mutex");
  EXPECT_EQ(found.grants, 2U);
  EXPECT_EQ(found.overlaps, 0U);
}

TEST(HoldWatch, LetsNobodyOverlapWithThemselves) {
  EXPECT_EQ(watched(WrittenHistory().acquire(0).acquire(0).release(0).acquire(1), "owner-mutex").overlaps,
            0U);
  // The first overlap ends with the grant that shows the hold before to be over; the new hold makes another.
  const HoldFindings found = watched(WrittenHistory().acquire(0).acquire(1).acquire(0), "owner-mutex");
  EXPECT_EQ(found.overlaps, 2U);
  EXPECT_EQ(found.first_overlap->to_line, 6U);
}

TEST(HoldWatch, CountsReentry) {
  const WrittenHistory history = WrittenHistory().acquire(0).acquire(0).release(0).acquire(1);
  EXPECT_EQ(watched(history, "reentrant-mutex").overlaps, 1U);
  EXPECT_EQ(watched(history, "reentrant-mutex").grants, 3U);
  EXPECT_EQ(watched(history, "owner-mutex").overlaps, 0U);
  const WrittenHistory released = WrittenHistory().acquire(0).acquire(0).release(0).release(0).acquire(1);
  EXPECT_EQ(watched(released, "reentrant-mutex").overlaps, 0U);
  EXPECT_EQ(watched(WrittenHistory().acquire(0).acquire(0).ended(0).acquire(1), "reentrant-mutex").overlaps,
            0U);
}

TEST(HoldWatch, LetsReadersCoexistButNoWriter) {
  EXPECT_EQ(watched(WrittenHistory().acquire_shared(0).acquire_shared(1), "rw-lock").overlaps, 0U);
  EXPECT_EQ(watched(WrittenHistory().acquire_shared(0).acquire_shared(1), "owner-mutex").overlaps, 1U);
  EXPECT_EQ(watched(WrittenHistory().acquire(0).acquire_shared(1), "rw-lock").overlaps, 1U);
  const WrittenHistory history = WrittenHistory()
                                     .acquire_shared(0)
                                     .acquire_shared(1)
                                     .acquire(2)         // overlaps with 0, from 60
                                     .acquire_shared(3)  // overlaps with 2, from 80
                                     .release(1)         // ends neither
                                     .release(2);        // at 110, ends both
  const HoldFindings found = watched(history, "rw-lock");
  EXPECT_EQ(found.overlaps, 2U);
  EXPECT_THAT(clients_of(*found.first_overlap), ElementsAre(0, 2));
  EXPECT_EQ(found.first_overlap->to, 110);
  EXPECT_EQ(found.longest_overlap_ns, 50);
}

TEST(HoldWatch, CountsSharedUponShared) {
  const WrittenHistory history = WrittenHistory().acquire_shared(0).acquire_shared(0).release(0);
  EXPECT_EQ(watched(WrittenHistory(history).acquire(1), "rw-lock").overlaps, 1U);
  EXPECT_EQ(watched(WrittenHistory(history).release(0).acquire(1), "rw-lock").overlaps, 0U);
}

TEST(HoldWatch, LetsAsManyHoldAsThereArePermits) {
  const WrittenHistory two = WrittenHistory().acquire(0).acquire(1);
  EXPECT_EQ(watched(two, "semaphore:2").overlaps, 0U);
  const HoldFindings found = watched(WrittenHistory(two).acquire(2).release(1), "semaphore:2");
  EXPECT_EQ(found.overlaps, 1U);
  EXPECT_THAT(clients_of(*found.first_overlap), ElementsAre(0, 1, 2));
  EXPECT_EQ(found.first_overlap->from, 60);
  EXPECT_EQ(found.first_overlap->to, 70);
}

TEST(HoldWatch, CountsThePermitsOfOneClient) {
  const HoldFindings found = watched(WrittenHistory().acquire(0).acquire(0).acquire(1), "semaphore:2");
  EXPECT_EQ(found.overlaps, 1U);
  EXPECT_THAT(clients_of(*found.first_overlap), ElementsAre(0, 0, 1));
  EXPECT_EQ(watched(WrittenHistory().acquire(0).acquire(0).release(0).acquire(1), "semaphore:2").overlaps,
            0U);
  EXPECT_EQ(
      watched(WrittenHistory().acquire(0).acquire(0).ended(0).acquire(1).acquire(1), "semaphore:2").overlaps,
      0U);
}

TEST(HoldWatch, UnderstandsThatSomebodyElseReleasesWhatHasNoOwner) {
  const WrittenHistory history = WrittenHistory().acquire(0).release(1).acquire(2);
  EXPECT_EQ(watched(history, "mutex").overlaps, 0U);
  EXPECT_EQ(watched(history, "semaphore:1").overlaps, 0U);
  EXPECT_EQ(watched(history, "owner-mutex").overlaps, 1U);
}

TEST(HoldWatch, TakesAReleaseForOnesOwnUnknownAcquireFirst) {
  const WrittenHistory history = WrittenHistory()
                                     .acquire(0)
                                     .invoke(1, Action::acquire)
                                     .returns(1, Action::acquire, CallEventType::info)
                                     .release(1)
                                     .acquire(2);
  EXPECT_EQ(watched(history, "mutex").overlaps, 1U);
  EXPECT_EQ(watched(WrittenHistory(history).release(1).acquire(3), "mutex").first_overlap->to_line, 9U);
}

TEST(HoldWatch, WantsTokensToGrow) {
  EXPECT_EQ(watched(WrittenHistory().acquire(0, 5).release(0).acquire(1, 6), "fenced-mutex").token_faults,
            0U);
  const HoldFindings found = watched(
      WrittenHistory().acquire(0, 5).release(0).acquire(1, 3).release(1).acquire(2, 5), "fenced-mutex");
  EXPECT_EQ(found.token_faults, 2U);
  ASSERT_TRUE(found.first_token_fault);
  EXPECT_EQ(found.first_token_fault->earlier.token, 5);
  EXPECT_EQ(found.first_token_fault->earlier.client, 0U);
  EXPECT_EQ(found.first_token_fault->later.token, 3);
  EXPECT_EQ(found.first_token_fault->later.grant_line, 6U);
}

TEST(HoldWatch, JudgesTokensWhoeverHolds) {
  const HoldFindings found =
      watched(WrittenHistory().acquire(0, 5).acquire(1, 6).acquire(2, 4), "fenced-mutex");
  EXPECT_EQ(found.overlaps, 2U);
  EXPECT_EQ(found.token_faults, 1U);
}

TEST(HoldWatch, LetsAcquiresThatRanAtOnceReturnTheirTokensInAnyOrderButNotTheSame) {
  const auto faults = [](std::int64_t first, std::int64_t second, std::int64_t third) {
    return watched(WrittenHistory()
                       .invoke(0, Action::acquire)
                       .invoke(1, Action::acquire)
                       .invoke(2, Action::acquire)
                       .granted(1, first)
                       .granted(2, second)
                       .granted(0, third),
                   "fenced-mutex")
        .token_faults;
  };
  EXPECT_EQ(faults(6, 7, 5), 0U);
  EXPECT_EQ(faults(6, 7, 7), 1U);  // the greatest so far
  EXPECT_EQ(faults(6, 7, 6), 1U);  // that of an open hold
}

TEST(HoldWatch, LetsANestedGrantRepeatItsToken) {
  const WrittenHistory history = WrittenHistory().acquire(0, 5).acquire(0, 5);
  EXPECT_EQ(watched(history, "reentrant-fenced-mutex").token_faults, 0U);
  EXPECT_EQ(watched(history, "fenced-mutex").token_faults, 1U);
  EXPECT_EQ(watched(WrittenHistory().acquire(0, 5).acquire(0, 4), "reentrant-fenced-mutex").token_faults, 1U);
  EXPECT_EQ(
      watched(WrittenHistory().acquire(0, 5).release(0).acquire(0, 5), "reentrant-fenced-mutex").token_faults,
      1U);
}

TEST(HoldWatch, LetsReadersShareAToken) {
  EXPECT_EQ(watched(WrittenHistory().acquire_shared(0, 5).acquire_shared(1, 5), "rw-lock").token_faults, 0U);
  EXPECT_EQ(watched(WrittenHistory().acquire_shared(0, 5).acquire_shared(1, 4), "rw-lock").token_faults, 1U);
  EXPECT_EQ(watched(WrittenHistory().acquire_shared(0, 5).release(0).acquire(1, 5), "rw-lock").token_faults,
            1U);
}

TEST(HoldWatch, MeasuresTheSmallestGapBetweenTwoClients) {
  const WrittenHistory history = WrittenHistory()
                                     .acquire(0)
                                     .release(0)  // at 30
                                     .acquire(1)  // at 60
                                     .invoke(2, Action::acquire)
                                     .invoke(1, Action::release)  // at 80
                                     .granted(2);                 // at 90
  const HoldFindings found = watched(history, "owner-mutex");
  ASSERT_TRUE(found.smallest_gap);
  EXPECT_EQ(found.smallest_gap->nanoseconds, 10);
  EXPECT_EQ(found.smallest_gap->from_client, 1U);
  EXPECT_EQ(found.smallest_gap->to_client, 2U);
  EXPECT_EQ(found.smallest_gap->from_line, 8U);
  EXPECT_EQ(found.smallest_gap->to_line, 9U);
}

TEST(HoldWatch, MeasuresNoGapToOneself) {
  EXPECT_FALSE(watched(WrittenHistory().acquire(0).release(0).acquire(0), "owner-mutex").smallest_gap);
  EXPECT_FALSE(
      watched(WrittenHistory().acquire(0).release(0).acquire(1).without_time(), "owner-mutex").smallest_gap);
}

TEST(HoldWatch, MeasuresGapsWhereTheLastPermitIsTaken) {
  const WrittenHistory history = WrittenHistory().acquire(0).release(0).acquire(1);
  EXPECT_FALSE(watched(history, "semaphore:2").smallest_gap);
  const HoldFindings found = watched(WrittenHistory(history).acquire(2).release(1).acquire(3), "semaphore:2");
  ASSERT_TRUE(found.smallest_gap);
  EXPECT_EQ(found.smallest_gap->from_line, 9U);
  EXPECT_EQ(found.smallest_gap->to_line, 12U);
}

TEST(HoldWatch, MeasuresNoGapBetweenReaders) {
  const WrittenHistory history = WrittenHistory().acquire_shared(0).release(0).acquire_shared(1).release(1);
  EXPECT_FALSE(watched(history, "rw-lock").smallest_gap);
  EXPECT_EQ(watched(WrittenHistory(history).acquire(2), "rw-lock").smallest_gap->from_line, 7U);
}

TEST(HoldWatch, MeasuresWhatWasLeftOfALease) {
  const WrittenHistory history = WrittenHistory().acquire(0).release(0).acquire(1).acquire(1).release(1);
  const HoldFindings found = watched(history, "reentrant-mutex", 100);
  ASSERT_TRUE(found.smallest_lease_margin);
  EXPECT_EQ(found.smallest_lease_margin->nanoseconds, 80);
  EXPECT_EQ(found.smallest_lease_margin->session.client, 0U);
  EXPECT_EQ(found.smallest_lease_margin->release_line, 3U);
  const HoldFindings outlived = watched(WrittenHistory(history).release(1), "reentrant-mutex", 50);
  EXPECT_EQ(outlived.smallest_lease_margin->nanoseconds, -10);
  EXPECT_EQ(outlived.smallest_lease_margin->session.acquire_line, 5U);
  EXPECT_EQ(outlived.smallest_lease_margin->release_line, 11U);
  EXPECT_FALSE(watched(WrittenHistory().acquire(0).ended(0), "owner-mutex", 100).smallest_lease_margin);
}

TEST(HoldWatch, CountsTheWaitersThatAReleaseWakes) {
  const HoldFindings found = watched(WrittenHistory()
                                         .acquire(0)
                                         .invoke(1, Action::acquire)
                                         .invoke(2, Action::acquire)
                                         .asked(1)  // nothing was released yet
                                         .invoke(0, Action::release)
                                         .asked(0)  // waits for nothing
                                         .asked(1)
                                         .asked(1)  // once is enough
                                         .asked(2)
                                         .returns(0, Action::release, CallEventType::ok)
                                         .granted(1)
                                         .asked(2)  // too late
                                         .release(1)
                                         .asked(2)
                                         .granted(2)
                                         .release(2),  // nobody waits
                                     "owner-mutex");
  EXPECT_EQ(found.awaited_releases, 2U);
  EXPECT_EQ(found.wake_ups, 3U);
  EXPECT_EQ(found.most_wake_ups, 2U);
}

TEST(HoldWatch, CountsHowOftenARequestIsPassedOver) {
  const HoldFindings found = watched(WrittenHistory()
                                         .acquire(0)
                                         .invoke(1, Action::acquire)
                                         .release(0)
                                         .acquire(2)  // passes 1 over
                                         .release(2)
                                         .invoke(2, Action::try_acquire)
                                         .returns(2, Action::try_acquire, CallEventType::ok)  // and again
                                         .release(2)
                                         .granted(1),
                                     "owner-mutex");
  EXPECT_EQ(found.overtakings, 2U);
  EXPECT_EQ(found.most_overtaken, 2U);
}

TEST(HoldWatch, CallsNobodyPassedOverWhoDoesNotWait) {
  const auto overtakings = [](WrittenHistory& history) {
    return watched(history.acquire(2), "owner-mutex").overtakings;
  };
  WrittenHistory tries;
  EXPECT_EQ(overtakings(tries.invoke(1, Action::try_acquire)), 0U);
  WrittenHistory ends;
  EXPECT_EQ(overtakings(ends.invoke(1, Action::acquire).ended(1)), 0U);
  WrittenHistory fails;
  EXPECT_EQ(overtakings(fails.invoke(1, Action::acquire).returns(1, Action::acquire, CallEventType::fail)),
            0U);
  // Whoever asked later is not passed over, nor is anybody by re-entry.
  EXPECT_EQ(
      watched(WrittenHistory().invoke(0, Action::acquire).invoke(1, Action::acquire).granted(0).acquire(0),
              "reentrant-mutex")
          .overtakings,
      0U);
}

}  // namespace hold_watch_test
}  // namespace holdfast::linear
