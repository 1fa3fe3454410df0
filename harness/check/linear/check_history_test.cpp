// Whole histories, key by key: which way they are checked, what is reported, and in which words.
#include "harness/check/linear/check_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/check/linear/explain.h"
#include "harness/check/linear/test_histories.h"

namespace holdfast::linear {
namespace check_history_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class Events {
 public:
  Events& add(CallEventType type, Action action, ClientNumber client, KeyNumber key = 0) {
    CallEvent event;
    event.type = type;
    event.action = action;
    event.client = client;
    event.key = key;
    event.time = static_cast<std::int64_t>(events_.size()) * 1'000'000;
    event.line = events_.size() + 1;
    events_.push_back(event);
    return *this;
  }
  Events& call(Action action, ClientNumber client, CallEventType outcome = CallEventType::ok,
               KeyNumber key = 0) {
    return add(CallEventType::invoke, action, client, key).add(outcome, action, client, key);
  }
  Events& refuse(Action action, ClientNumber client) {
    call(action, client);
    events_.back().refused = true;
    return *this;
  }
  Events& with_value(std::int64_t value) {
    events_.back().value = value;
    events_[events_.size() - 2].value = value;
    return *this;
  }
  CheckReport check(const std::string& model, const Limits& limits = {}) const {
    CheckOptions options;
    options.model = model_called(model);
    options.limits = limits;
    return std::get<CheckReport>(check_events(events_, options));
  }
  const std::vector<CallEvent>& list() const { return events_; }

 private:
  std::vector<CallEvent> events_;
};

std::string words_about(const CheckReport& report, const std::string& about) {
  for (const Finding& finding : findings(report, report.keys.at(0))) {
    if (finding.about == about) {
      return finding.sentence;
    }
  }
  return {};
}

TEST(CheckHistory, OfNothingHasNothingToSay) {
  const CheckReport report = Events().check("owner-mutex");
  EXPECT_THAT(report.keys, SizeIs(0));
  EXPECT_EQ(report.service(), Answer::linearizable);
}

TEST(CheckHistory, OfALockThatHoldsTellsTheMargins) {
  const CheckReport report = Events()
                                 .call(Action::acquire, 0)
                                 .call(Action::release, 0)
                                 .call(Action::acquire, 1)
                                 .call(Action::release, 1)
                                 .check("owner-mutex");
  EXPECT_EQ(report.service(), Answer::linearizable);
  EXPECT_FALSE(report.believed_at_once());
  ASSERT_TRUE(report.keys.at(0).holds.smallest_gap);
  EXPECT_EQ(report.keys[0].holds.smallest_gap->nanoseconds, 3'000'000);
  EXPECT_THAT(words_about(report, "margin"), HasSubstr("3.000 ms"));
}

TEST(CheckHistory, NamesTheTwoWhoHeldItAtOnce) {
  const CheckReport report = Events()
                                 .call(Action::acquire, 0)
                                 .call(Action::acquire, 1)
                                 .call(Action::release, 0)
                                 .check("owner-mutex");
  EXPECT_EQ(report.service(), Answer::violated);
  EXPECT_TRUE(report.believed_at_once());
  EXPECT_THAT(words_about(report, "service"),
              HasSubstr("client 0 was granted it at 0.001 s (line 2) and had not released it when client 1"));
  EXPECT_THAT(words_about(report, "belief"), HasSubstr("client 0 and client 1 believed to hold it at once"));
}

TEST(CheckHistory, AReleaseThatFailedIsReadBothWays) {
  const CheckReport report = Events()
                                 .call(Action::acquire, 0)
                                 .call(Action::release, 0, CallEventType::fail)
                                 .call(Action::acquire, 1)
                                 .check("owner-mutex");
  EXPECT_EQ(report.service(), Answer::violated);
  EXPECT_EQ(report.keys.at(0).if_failed_releases_ended_the_hold, Answer::linearizable);
  EXPECT_FALSE(report.believed_at_once());
}

TEST(CheckHistory, AReleaseNobodyKnowsTheOutcomeOfIsReadBothWays) {
  const CheckReport report = Events()
                                 .call(Action::acquire, 0)
                                 .call(Action::release, 0, CallEventType::info)
                                 .call(Action::acquire, 1)
                                 .check("owner-mutex");
  EXPECT_EQ(report.service(), Answer::linearizable);
  EXPECT_EQ(report.keys.at(0).if_unknown_releases_did_nothing, Answer::violated);
}

TEST(CheckHistory, WhatTheFirstPassCannotDecideIsMostlyDecidedInASecondOne) {
  const CheckReport report = Events()
                                 .call(Action::acquire, 0, CallEventType::info)
                                 .refuse(Action::try_acquire, 1)
                                 .call(Action::release, 0)
                                 .call(Action::acquire, 1)
                                 .check("owner-mutex");
  EXPECT_EQ(report.keys.at(0).method, Method::one_pass);
  EXPECT_EQ(report.service(), Answer::linearizable);
}

TEST(CheckHistory, WhatNoPassCanDecideIsSearched) {
  const CheckReport report = Events()
                                 .call(Action::acquire, 0)
                                 .refuse(Action::release, 1)
                                 .call(Action::acquire, 0, CallEventType::info)
                                 .refuse(Action::try_acquire, 1)
                                 .check("semaphore:2");
  EXPECT_EQ(report.keys.at(0).method, Method::search);
  EXPECT_EQ(report.service(), Answer::violated);
}

TEST(CheckHistory, WhatIsKeptForAKeyIsForItsOwnClients) {
  Events events;
  constexpr ClientNumber keys = 4000;
  for (ClientNumber client = 0; client < 5 * keys; ++client) {
    events.call(Action::acquire, client, CallEventType::ok, client / 5)
        .call(Action::release, client, CallEventType::ok, client / 5);
  }
  events.call(Action::acquire, 5 * keys - 2, CallEventType::ok, keys - 1)
      .call(Action::acquire, 5 * keys - 1, CallEventType::ok, keys - 1);
  const CheckReport report = events.check("owner-mutex");
  EXPECT_THAT(report.keys, SizeIs(keys));
  EXPECT_EQ(report.service(), Answer::violated);
  ASSERT_THAT(report.keys.back().fast.sessions, SizeIs(2));
  EXPECT_EQ(report.keys.back().fast.sessions[0].client, 5 * keys - 2);
  EXPECT_EQ(report.keys.back().holds.first_overlap->sessions[1].client, 5 * keys - 1);
}

TEST(CheckHistory, ACallOfTheSameKindThatTheModelDoesNotKnowIsNotLeftOut) {
  const Events events = Events().call(Action::write, 0).with_value(1).call(Action::compare_and_set, 1);
  CheckOptions options;
  options.model = Register{};
  EXPECT_EQ(
      std::get<std::string>(check_events(events.list(), options)),
      "the history: line 3: compare_and_set of \"key 0\" is no call of register; what knows all that is "
      "called of it is cas-register");
  options.model = OwnerMutex{};
  const auto report = std::get<CheckReport>(check_events(events.list(), options));
  EXPECT_THAT(report.keys, SizeIs(0));
  EXPECT_THAT(report.other_actions, ElementsAre(Action::write, Action::compare_and_set));
}

TEST(CheckHistory, ANilReadMaySayNothing) {
  const Events events = Events().call(Action::write, 0).with_value(1).call(Action::read, 1);
  CheckOptions options;
  options.model = Register{};
  EXPECT_EQ(std::get<CheckReport>(check_events(events.list(), options)).service(), Answer::violated);
  options.nil_is_unknown = true;
  EXPECT_EQ(std::get<CheckReport>(check_events(events.list(), options)).service(), Answer::linearizable);
}

TEST(CheckHistory, TimesThatContradictTheOrderAreNoticedAndMeasureNothing) {
  std::vector<CallEvent> events =
      Events().call(Action::acquire, 0).call(Action::acquire, 1).call(Action::release, 0).list();
  events[3].time = 500'000;
  CheckOptions options;
  options.model = OwnerMutex{};
  const auto report = std::get<CheckReport>(check_events(events, options));
  EXPECT_EQ(report.times.count, 1U);
  EXPECT_EQ(report.times.line, 4U);
  EXPECT_EQ(report.times.line_before, 3U);
  EXPECT_EQ(report.times.by, 1'500'000);
  EXPECT_THAT(words_about(report, "belief"), Not(HasSubstr(", for ")));
}

TEST(CheckHistory, OfAFencedLockWithoutTokensSaysThatTheyWereNotChecked) {
  const Events events = Events().call(Action::acquire, 0).call(Action::release, 0);
  EXPECT_THAT(words_about(events.check("fenced-mutex"), "tokens"), HasSubstr("was not checked"));
  EXPECT_EQ(words_about(events.check("owner-mutex"), "tokens"), "");
}

TEST(CheckHistory, OfALockWithoutOwnersNamesTheGrantThatWasTooMany) {
  const CheckReport report = Events()
                                 .call(Action::acquire, 0)
                                 .add(CallEventType::invoke, Action::release, 0)
                                 .call(Action::acquire, 1)
                                 .add(CallEventType::fail, Action::release, 0)
                                 .check("mutex");
  EXPECT_THAT(
      words_about(report, "service"),
      HasSubstr("client 1 was granted it at 0.004 s (line 5) though nothing was free: taken by client 0"));
  EXPECT_THAT(report.keys.at(0).fast.sessions, SizeIs(2));
}

// A counter's history whose every call is needed, which takes far more than a thousand questions to see.
TEST(CheckHistory, TheWitnessIsSoughtWithinTheTimeLimitAndToldInTenCalls) {
  constexpr ClientNumber adds = 5000;
  Events events;
  for (ClientNumber add = 0; add < adds; ++add) {
    events.call(Action::add, add % 50);
  }
  events.call(Action::read, 0).with_value(adds - 1);
  std::uint64_t questions = 0;
  const Limits limits{.stop = [&] { return ++questions > 1000; }};
  const CheckReport report = events.check("counter", limits);
  EXPECT_EQ(report.service(), Answer::violated);
  EXPECT_GT(questions, 1000U);
  EXPECT_LT(questions, 1100U);
  EXPECT_FALSE(report.keys.at(0).witness_is_minimal);
  EXPECT_THAT(witness_to_tell(report.keys[0]), SizeIs(most_calls_told));
  EXPECT_THAT(words_about(report, "service"), HasSubstr("client 0 read 4999"));
}

TEST(CheckHistory, KeysAreJudgedApart) {
  const CheckReport report = Events()
                                 .call(Action::acquire, 0, CallEventType::ok, 0)
                                 .call(Action::acquire, 1, CallEventType::ok, 1)
                                 .check("owner-mutex");
  EXPECT_THAT(report.keys, SizeIs(2));
  EXPECT_EQ(report.service(), Answer::linearizable);
}

TEST(CheckHistory, OfARegisterShowsTheCallsThatCannotBeExplained) {
  const CheckReport report = Events()
                                 .call(Action::write, 0)
                                 .with_value(1)
                                 .call(Action::write, 0)
                                 .with_value(2)
                                 .call(Action::read, 1)
                                 .with_value(1)
                                 .check("register");
  EXPECT_EQ(report.service(), Answer::violated);
  EXPECT_EQ(report.keys.at(0).method, Method::search);
  EXPECT_THAT(report.keys[0].witness, SizeIs(2));
  EXPECT_THAT(words_about(report, "service"), HasSubstr("client 1 read 1, lines 5 to 6"));
}

TEST(CheckHistory, ASearchThatMeetsItsLimitIsUnknown) {
  const Limits at_once{.stop = [] { return true; }};
  const CheckReport report = Events().call(Action::write, 0).with_value(1).check("register", at_once);
  EXPECT_EQ(report.service(), Answer::unknown);
  EXPECT_THAT(words_about(report, "service"), HasSubstr("not known whether linearizable as register"));
}

TEST(CheckHistory, ACallWithinACallIsRefused) {
  const Events events =
      Events().add(CallEventType::invoke, Action::acquire, 0).add(CallEventType::invoke, Action::acquire, 0);
  for (const std::string model : {"owner-mutex", "mutex"}) {
    CheckOptions options;
    options.model = model_called(model);
    EXPECT_THAT(std::get<std::string>(check_events(events.list(), options)),
                HasSubstr("line 2: a client calls while its call before is still open"));
  }
}

}  // namespace check_history_test
}  // namespace holdfast::linear
