// Whole histories, key by key: which way they are checked, what is reported, and in which words.
#include "harness/check/linear/check_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/check/linear/explain.h"
#include "harness/check/linear/test_histories.h"

namespace holdfast::linear {
namespace check_history_test {

using ::testing::HasSubstr;
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

TEST(CheckHistory, WhatThePassCannotDecideIsSearched) {
  const CheckReport report = Events()
                                 .call(Action::acquire, 0, CallEventType::info)
                                 .refuse(Action::try_acquire, 1)
                                 .call(Action::release, 0)
                                 .call(Action::acquire, 1)
                                 .check("owner-mutex");
  EXPECT_EQ(report.keys.at(0).method, Method::search);
  EXPECT_EQ(report.service(), Answer::linearizable);
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
