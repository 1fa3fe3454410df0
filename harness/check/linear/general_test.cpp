// The general checker against the oracle, on random small histories of every model; its orders against the
// model; its limits.
#include "harness/check/linear/general.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "harness/check/linear/minimal.h"
#include "harness/check/linear/oracle.h"
#include "harness/check/linear/test_histories.h"

namespace holdfast::linear {
namespace general_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The order takes each call at most once, respects real time, and every answer in it is right.
template <class Model>
void expect_explains(const Model& model, const std::vector<Call>& calls,
                     const std::vector<std::uint32_t>& order) {
  auto state = model.initial();
  for (std::size_t at = 0; at < order.size(); ++at) {
    for (std::size_t later = at + 1; later < order.size(); ++later) {
      ASSERT_NE(order[later], order[at]);
      ASSERT_GT(calls[order[later]].returned, calls[order[at]].invoked);
    }
    const auto next = model.step(state, calls[order[at]]);
    ASSERT_TRUE(next.has_value());
    state = *next;
  }
}

template <class Model>
std::int64_t count_required(const Model& model, const std::vector<Call>& calls) {
  return std::ranges::count_if(
      calls, [&](const Call& call) { return call.outcome == Outcome::ok && model.knows(call.action); });
}

// What is said of a violation: up to the blocked return all is well, with it no more.
template <class Model>
void expect_blocked(const Model& model, const std::vector<Call>& calls, const GeneralResult& result) {
  const Position end = calls[result.blocked].returned;
  std::vector<Call> before;
  for (Call call : calls) {
    call.outcome = call.returned < end ? call.outcome : Outcome::info;
    call.returned = call.returned < end ? call.returned : never_returned;
    if (call.invoked < end) {
      before.push_back(call);
    }
  }
  ASSERT_TRUE(oracle_says_linearizable(model, before));
}

class RandomHistories : public ::testing::TestWithParam<std::string> {};

TEST_P(RandomHistories, AreJudgedAsTheOracleJudgesThem) {
  const AnyModel any = model_called(GetParam());
  std::uint64_t linearizable = 0;
  const std::uint64_t count = random_histories();
  for (std::uint64_t seed = 1; seed <= count && !HasFatalFailure(); ++seed) {
    std::vector<Call> calls = random_calls(any, seed);
    for (std::size_t index = seed % 3; seed % 4 == 0 && index < calls.size(); index += 3) {
      calls[index] = relaxed(calls[index]);  // info calls that have a return
    }
    with_model(any, [&](const auto& model) {
      const bool expected = oracle_says_linearizable(model, calls);
      const GeneralResult result = check_general(model, calls, {});
      ASSERT_EQ(to_text(result.answer), expected ? "linearizable" : "violated") << "seed " << seed;
      linearizable += expected ? 1 : 0;
      expect_explains(model, calls, result.order);
      if (!expected) {
        expect_blocked(model, calls, result);
        return;
      }
      std::vector<Call> ordered;
      std::ranges::transform(result.order, std::back_inserter(ordered),
                             [&](std::uint32_t index) { return calls[index]; });
      ASSERT_EQ(count_required(model, ordered), count_required(model, calls)) << "seed " << seed;
    });
  }
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
  calls.push_back(call(Action::read, clients, 2 * clients, 2 * clients + 1).with_value(-1));
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
