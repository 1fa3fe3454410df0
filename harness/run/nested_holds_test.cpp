// Holds within holds: what is left of them for models that know none.
#include "harness/run/nested_holds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holdfast {
namespace {

CallEvent call(CallEventType type, Action action, Mode mode = Mode::exclusive, ClientNumber client = 0) {
  CallEvent event;
  event.type = type;
  event.action = action;
  event.mode = mode;
  event.client = client;
  return event;
}

void add(std::vector<CallEvent>& calls, Action action, Mode mode = Mode::exclusive, ClientNumber client = 0,
         CallEventType outcome = CallEventType::ok) {
  calls.push_back(call(CallEventType::invoke, action, mode, client));
  calls.push_back(call(outcome, action, mode, client));
}

TEST(NestedHolds, StayAsOneFromTheFirstAcquireToTheLastRelease) {
  std::vector<CallEvent> calls;
  add(calls, Action::acquire);
  add(calls, Action::acquire);
  add(calls, Action::release);
  EXPECT_EQ(with_nested_holds_as_one(calls).size(), 2U);
  add(calls, Action::release);
  const std::vector<CallEvent> outermost = with_nested_holds_as_one(calls);
  ASSERT_EQ(outermost.size(), 4U);
  EXPECT_EQ(outermost[2].action, Action::release);
}

TEST(NestedHolds, OtherClientsAndOtherModesAreHoldsOfTheirOwn) {
  std::vector<CallEvent> calls;
  add(calls, Action::acquire, Mode::shared, 0);
  add(calls, Action::acquire, Mode::shared, 1);
  add(calls, Action::acquire, Mode::exclusive, 0);
  EXPECT_EQ(with_nested_holds_as_one(calls).size(), calls.size());
}

TEST(NestedHolds, WhatWasNotGrantedNestsNothing) {
  std::vector<CallEvent> calls;
  add(calls, Action::acquire, Mode::exclusive, 0, CallEventType::info);
  add(calls, Action::acquire);
  add(calls, Action::release);
  EXPECT_EQ(with_nested_holds_as_one(calls).size(), calls.size());
}

TEST(NestedHolds, ALockThatSaysItIsNotHeldIsHeldNoMore) {
  std::vector<CallEvent> calls;
  add(calls, Action::acquire);
  add(calls, Action::acquire);
  add(calls, Action::release, Mode::exclusive, 0, CallEventType::fail);
  add(calls, Action::acquire);
  EXPECT_EQ(with_nested_holds_as_one(calls).size(), 4U);
}

TEST(NestedHolds, WhoDiesHoldsNothing) {
  std::vector<CallEvent> calls;
  add(calls, Action::acquire);
  calls.push_back(call(CallEventType::ended, Action::acquire));
  add(calls, Action::acquire);
  EXPECT_EQ(with_nested_holds_as_one(calls).size(), calls.size());
}

TEST(ExpiredHolds, AreOverWhenTheirHolderAsksAgainAndGetsItAfterTheLease) {
  std::vector<CallEvent> calls;
  add(calls, Action::acquire);
  add(calls, Action::acquire);
  calls[0].time = calls[1].time = 0;
  calls[2].time = Duration(1s).count();
  calls[3].time = Duration(10s).count();
  const std::vector<CallEvent> ended = with_expired_holds_ended(calls, 10s);
  ASSERT_EQ(ended.size(), 5U);
  EXPECT_EQ(ended[2].type, CallEventType::ended);
  calls[3].time = Duration(2s).count();
  EXPECT_EQ(with_expired_holds_ended(calls, 10s).size(), 4U) << "it entered it again";
}

}  // namespace
}  // namespace holdfast
