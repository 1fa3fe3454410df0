// The general checker against the oracle, on random small histories of every model; its orders against the
// model; its limits.
#include "harness/check/linear/general.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "harness/check/linear/minimal.h"
#include "harness/check/linear/oracle.h"
#include "harness/check/linear/random_property.h"
#include "harness/check/linear/test_histories.h"

namespace holdfast::linear {
namespace general_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The order takes each call at most once, respects real time, and every answer in it is right.
template <class Model>
bool explains(const Model& model, const std::vector<Call>& calls, const std::vector<std::uint32_t>& order) {
  auto state = std::optional(model.initial());
  for (std::size_t at = 0; at < order.size(); ++at) {
    for (std::size_t later = at + 1; later < order.size(); ++later) {
      if (order[later] == order[at] || calls[order[later]].returned <= calls[order[at]].invoked) {
        return false;
      }
    }
    state = model.step(*state, calls[order[at]]);
    if (!state) {
      return false;
    }
  }
  return true;
}

template <class Model>
std::int64_t count_required(const Model& model, const std::vector<Call>& calls) {
  return std::ranges::count_if(
      calls, [&](const Call& call) { return call.outcome == Outcome::ok && model.knows(call.action); });
}

// The history up to the return that could not be passed, without it.
std::vector<Call> before_return(const std::vector<Call>& calls, std::uint32_t blocked) {
  const Position end = calls[blocked].returned;
  std::vector<Call> before;
  for (Call call : calls) {
    call.outcome = call.returned < end ? call.outcome : Outcome::info;
    call.returned = call.returned < end ? call.returned : never_returned;
    if (call.invoked < end) {
      before.push_back(call);
    }
  }
  return before;
}

// What the general checker does wrong with these calls, or nothing.
template <class Model>
std::string wrong_about(const Model& model, const std::vector<Call>& calls) {
  const bool expected = oracle_says_linearizable(model, calls);
  const GeneralResult result = check_general(model, calls, {});
  if (result.answer != (expected ? Answer::linearizable : Answer::violated)) {
    return "the answer is " + std::string(to_text(result.answer));
  }
  if (!explains(model, calls, result.order)) {
    return "the order explains nothing";
  }
  if (!expected) {
    const std::vector<Call> before = before_return(calls, result.blocked);
    return oracle_says_linearizable(model, before) ? "" : "it was wrong before the return that is blamed";
  }
  std::vector<Call> ordered;
  std::ranges::transform(result.order, std::back_inserter(ordered),
                         [&](std::uint32_t index) { return calls[index]; });
  return count_required(model, ordered) == count_required(model, calls) ? "" : "a call has no place";
}

class RandomHistories : public ::testing::TestWithParam<std::string> {};

TEST_P(RandomHistories, AreJudgedAsTheOracleJudgesThem) {
  const AnyModel any = model_called(GetParam());
  std::uint64_t linearizable = 0;
  const std::uint64_t count = random_histories();
  expect_of_random_histories(count, [&](const RandomCase& one) {
    std::vector<Call> calls = calls_of(any, one.events(any));
    for (std::size_t index = one.seed % 3; one.seed % 4 == 0 && index < calls.size(); index += 3) {
      calls[index] = relaxed(calls[index]);  // info calls that have a return
    }
    return with_model(any, [&](const auto& model) {
      linearizable += oracle_says_linearizable(model, calls) ? 1 : 0;
      return wrong_about(model, calls);
    });
  });
  EXPECT_GT(linearizable, count / 3) << "the comparison needs histories of both kinds";
  EXPECT_LT(linearizable, count * 4 / 5) << "the comparison needs histories of both kinds";
}

INSTANTIATE_TEST_SUITE_P(OfEveryModel, RandomHistories, ::testing::ValuesIn(one_of_each_model()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace_if(
                               name, [](char letter) { return letter == '-' || letter == ':'; }, '_');
                           return name;
                         });

TEST(GeneralCheck, FindsTheOrderThatExplainsAHistory) {
  const std::vector<Call> calls = {
      call(Action::write, 0, 0, 3).with_value(1), call(Action::write, 1, 1, 4).with_value(2),
      call(Action::read, 2, 2, 5).with_value(1), call(Action::read, 2, 6, 7).with_value(2)};
  const GeneralResult result = check_general(AnyModel(Register{}), calls, {});
  EXPECT_EQ(result.answer, Answer::linearizable);
  EXPECT_THAT(result.order, ElementsAre(0, 2, 1, 3));
}

TEST(GeneralCheck, TellsHowFarItCameAndWhichReturnItCouldNotPass) {
  const std::vector<Call> calls = {call(Action::acquire, 0, 0, 1), call(Action::acquire, 1, 2, 3),
                                   call(Action::release, 0, 4, 5)};
  const GeneralResult result = check_general(AnyModel(OwnerMutex{}), calls, {});
  EXPECT_EQ(result.answer, Answer::violated);
  EXPECT_THAT(result.order, ElementsAre(0));
  EXPECT_EQ(result.blocked, 1U);
}

TEST(GeneralCheck, AnInfoCallIsUsedOnlyIfSomethingNeedsIt) {
  std::vector<Call> calls = {call(Action::write, 0, 0).with_value(1),
                             call(Action::write, 1, 1, 2).with_value(2),
                             call(Action::read, 1, 3, 4).with_value(2)};
  EXPECT_THAT(check_general(AnyModel(Register{}), calls, {}).order, ElementsAre(1, 2));
  calls[2].value = 1;
  EXPECT_THAT(check_general(AnyModel(Register{}), calls, {}).order, ElementsAre(1, 0, 2));
}

TEST(GeneralCheck, CallsThatTheModelDoesNotKnowAreNotJudged) {
  const std::vector<Call> calls = {call(Action::read, 0, 0, 1).with_value(7), call(Action::acquire, 0, 2, 3)};
  EXPECT_EQ(check_general(AnyModel(Mutex{}), calls, {}).answer, Answer::linearizable);
}

TEST(GeneralCheck, AnEmptyHistoryIsLinearizable) {
  EXPECT_EQ(check_general(AnyModel(Mutex{}), {}, {}).answer, Answer::linearizable);
}

// Clients that write different values at the same time, and a read of a value that nobody wrote: every
// order has to be tried.
std::vector<Call> hard_history(ClientNumber clients) {
  std::vector<Call> calls;
  for (ClientNumber client = 0; client < clients; ++client) {
    calls.push_back(call(Action::write, client, client, clients + client).with_value(client));
  }
  calls.push_back(call(Action::read, clients, clients + clients, clients + clients + 1).with_value(-1));
  return calls;
}

TEST(GeneralCheck, WhoeverStopsItGetsTheAnswerUnknownWithTheReason) {
  int questions = 0;
  const GeneralResult result =
      check_general(AnyModel(Register{}), hard_history(16), {.stop = [&] { return ++questions > 3; }});
  EXPECT_EQ(result.answer, Answer::unknown);
  EXPECT_THAT(result.reason, HasSubstr("the time limit was reached after"));
  EXPECT_THAT(result.reason, HasSubstr("of 17 returns explained"));
}

TEST(GeneralCheck, TheMemoryLimitHoldsAndIsTold) {
  const std::size_t limit = std::size_t{1} << 20;
  const GeneralResult result =
      check_general(AnyModel(Register{}), hard_history(20), {.stop = {}, .memory_bytes = limit});
  EXPECT_EQ(result.answer, Answer::unknown);
  EXPECT_LE(result.memory_bytes, limit);
  EXPECT_THAT(result.reason, HasSubstr("the memory limit of 1 MiB was reached after"));
  EXPECT_EQ(check_general(AnyModel(Register{}), hard_history(10), {.stop = {}, .memory_bytes = limit}).answer,
            Answer::violated);
}

TEST(GeneralCheck, ManyEqualInfoCallsCostNoMoreThanOne) {
  std::vector<Call> calls;
  for (Position each = 0; each < 40; ++each) {
    calls.push_back(call(Action::write, 0, each).with_value(1));
  }
  calls.push_back(call(Action::read, 1, 40, 41).with_value(1));
  calls.push_back(call(Action::read, 1, 42, 43).with_value(2));
  const GeneralResult result = check_general(AnyModel(CasRegister{}), calls, {});
  EXPECT_EQ(result.answer, Answer::violated);
  EXPECT_LT(result.configurations, 10U);
}

TEST(GeneralCheck, ALongHistoryTakesMemoryInProportion) {
  std::vector<Call> calls;
  for (Position each = 0; each < 50000; ++each) {
    calls.push_back(call(each % 2 == 0 ? Action::acquire : Action::release, 0, 2 * each, 2 * each + 1));
  }
  const GeneralResult result = check_general(AnyModel(OwnerMutex{}), calls, {});
  EXPECT_EQ(result.answer, Answer::linearizable);
  EXPECT_LT(result.memory_bytes, std::size_t{50000} * 512);
}

}  // namespace general_test
}  // namespace holdfast::linear
