// Events to calls: what becomes of each kind of return, of clients that end, and of events that cannot be.
#include "harness/check/linear/pairs.h"

#include <gtest/gtest.h>

#include "harness/check/linear/test_histories.h"

namespace holdfast::linear {
namespace pairs_test {

CallEvent event(CallEventType type, Action action, ClientNumber client, KeyNumber key = 0) {
  CallEvent made;
  made.type = type;
  made.action = action;
  made.client = client;
  made.key = key;
  return made;
}
CallEvent invoke(Action action, ClientNumber client, KeyNumber key = 0) {
  return event(CallEventType::invoke, action, client, key);
}
CallEvent ok(Action action, ClientNumber client, KeyNumber key = 0) {
  return event(CallEventType::ok, action, client, key);
}
CallEvent info(Action action, ClientNumber client) {
  return event(CallEventType::info, action, client);
}
CallEvent ended(ClientNumber client) {
  return event(CallEventType::ended, Action::acquire, client);
}

std::vector<KeyCalls> keys_of(const std::vector<CallEvent>& events,
                              EndedLetsGo ended_lets = EndedLetsGo::plainly) {
  return std::get<std::vector<KeyCalls>>(pair_calls(events, ended_lets));
}

std::string problem_of(const std::vector<CallEvent>& events) {
  return std::get<std::string>(pair_calls(events, EndedLetsGo::if_it_happened));
}

TEST(Pairs, AreSplitByKeyAndKnowTheirPositions) {
  const auto keys = keys_of({invoke(Action::acquire, 0, 7), invoke(Action::acquire, 1, 3),
                             ok(Action::acquire, 1, 3), ok(Action::acquire, 0, 7)});
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_EQ(keys[0].key, 3U);
  EXPECT_EQ(keys[0].calls[0].invoked, 1U);
  EXPECT_EQ(keys[0].calls[0].returned, 2U);
  EXPECT_EQ(keys[1].key, 7U);
  EXPECT_EQ(keys[1].calls[0].client, 0U);
  EXPECT_EQ(keys[1].calls[0].returned, 3U);
}

TEST(Pairs, AFailedCallIsLeftOutAndAnInfoCallNeverReturns) {
  const auto keys = keys_of({invoke(Action::write, 0), event(CallEventType::fail, Action::write, 0),
                             invoke(Action::write, 0), info(Action::write, 0), invoke(Action::read, 0)});
  ASSERT_EQ(keys[0].calls.size(), 2U);
  for (const Call& call : keys[0].calls) {
    EXPECT_EQ(call.outcome, Outcome::info);
    EXPECT_EQ(call.returned, never_returned);
  }
}

TEST(Pairs, AReadsValueAndAGrantedTokenAreTheReturns) {
  CallEvent asked = invoke(Action::read, 0);
  asked.value = 9;
  CallEvent granted = ok(Action::acquire, 1);
  granted.token = 33;
  const auto calls = keys_of({asked, ok(Action::read, 0), invoke(Action::acquire, 1), granted}).front().calls;
  EXPECT_EQ(calls[0].value, std::nullopt);
  EXPECT_EQ(calls[1].token, 33);
}

TEST(Pairs, AWritesValueAndTokenAreTheInvocations) {
  CallEvent asked = invoke(Action::write, 0);
  asked.value = 4;
  asked.token = 5;
  const auto calls = keys_of({asked, ok(Action::write, 0)}).front().calls;
  EXPECT_EQ(calls[0].value, 4);
  EXPECT_EQ(calls[0].token, 5);
}

TEST(Pairs, AClientThatEndsWhileItHoldsMayBeReleasedFromThenOn) {
  const auto calls = keys_of({invoke(Action::acquire, 0), ok(Action::acquire, 0), ended(0)}).front().calls;
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[1].action, Action::release);
  EXPECT_EQ(calls[1].client, 0U);
  EXPECT_EQ(calls[1].invoked, 2U);
  EXPECT_EQ(calls[1].outcome, Outcome::info);
}

TEST(Pairs, AReentrantHolderIsLetGoAsOftenAsItAcquired) {
  const auto calls = keys_of({invoke(Action::acquire, 0), ok(Action::acquire, 0), invoke(Action::acquire, 0),
                              ok(Action::acquire, 0), ended(0), ended(0)})
                         .front()
                         .calls;
  EXPECT_EQ(calls.size(), 4U);
}

TEST(Pairs, AClientThatReleasedOrWasRefusedHasNothingToLetGo) {
  CallEvent refused = ok(Action::try_acquire, 1);
  refused.refused = true;
  const auto calls =
      keys_of({invoke(Action::acquire, 0), ok(Action::acquire, 0), invoke(Action::release, 0),
               ok(Action::release, 0), ended(0), invoke(Action::try_acquire, 1), refused, ended(1)})
          .front()
          .calls;
  EXPECT_EQ(calls.size(), 3U);
}

TEST(Pairs, AnAcquireThatNobodyKnowsOfIsLetGoOnlyWhereReleasesHaveOwners) {
  const std::vector<CallEvent> events = {invoke(Action::acquire, 0), info(Action::acquire, 0), ended(0)};
  EXPECT_EQ(keys_of(events, EndedLetsGo::plainly).front().calls.size(), 2U);
  EXPECT_EQ(keys_of(events, EndedLetsGo::if_it_happened).front().calls.size(), 1U);
  EXPECT_EQ(ended_lets_go(OwnerMutex{}), EndedLetsGo::plainly);
  EXPECT_EQ(ended_lets_go(Mutex{}), EndedLetsGo::if_it_happened);
}

TEST(Pairs, ACallThatIsOpenWhenItsClientEndsIsInfoUnlessItReturns) {
  const auto open = keys_of({invoke(Action::write, 0), ended(0), invoke(Action::write, 0)}).front().calls;
  ASSERT_EQ(open.size(), 2U);
  EXPECT_EQ(open[0].outcome, Outcome::info);
  const auto returned = keys_of({invoke(Action::release, 0), ended(0), ok(Action::release, 0)}).front().calls;
  EXPECT_EQ(returned[0].outcome, Outcome::ok);
}

TEST(Pairs, EventsThatCannotBeAreToldWithTheirLine) {
  CallEvent second = invoke(Action::release, 3);
  second.line = 12;
  EXPECT_EQ(problem_of({invoke(Action::acquire, 3), second}),
            "line 12: client 3 invokes release while its acquire is still open");
  EXPECT_EQ(problem_of({ok(Action::acquire, 3)}), "event 0: a return for client 3, which has no call open");
  EXPECT_EQ(problem_of({invoke(Action::acquire, 3, 1), ok(Action::acquire, 3, 2)}),
            "event 1: client 3 returns from acquire of key 2, but its open call is acquire of key 1");
}

}  // namespace pairs_test
}  // namespace holdfast::linear
