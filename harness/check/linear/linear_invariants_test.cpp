// What must hold in the checkers: each test breaks one rule, and wants to be told which.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/check/linear/fast.h"
#include "harness/check/linear/general.h"
#include "harness/check/linear/memo.h"
#include "harness/check/linear/minimal.h"
#include "harness/check/linear/test_histories.h"
#include "harness/kernel/require.h"

namespace holdfast::linear {
namespace linear_invariants_test {

using testing::HasSubstr;
using testing::ThrowsMessage;

template <typename Action>
void expect_broken(const Action& action, const std::string& rule) {
  EXPECT_THAT(action, ThrowsMessage<BrokenInvariant>(HasSubstr(rule)));
}

TEST(LinearInvariants, EventsComeInOrder) {
  const auto check = make_fast_check(OwnerMutex{});
  check->observe({.type = CallEventType::invoke}, 5);
  check->observe({.type = CallEventType::ended}, 5);
  expect_broken([&] { check->observe({.type = CallEventType::ended}, 4); }, "events come in order");
}

TEST(LinearInvariants, AFastCheckSeesNoQuestions) {
  const auto check = make_fast_check(OwnerMutex{});
  expect_broken([&] { check->observe({.type = CallEventType::asked}, 0); },
                "a fast check sees calls, and no questions");
}

TEST(LinearInvariants, NoMoreMemoryIsGivenBackThanWasTaken) {
  MemoryBudget budget(100);
  EXPECT_TRUE(budget.take(60));
  EXPECT_FALSE(budget.take(41));
  budget.give_back(20);
  expect_broken([&] { budget.give_back(41); }, "no more memory is given back than was taken");
  EXPECT_EQ(budget.used(), 40U);
}

TEST(LinearInvariants, ACallIsInvokedBeforeItReturns) {
  const std::vector<Call> calls{call(Action::acquire, 0, 3, 2)};
  expect_broken([&] { check_general(AnyModel(OwnerMutex{}), calls, {}); },
                "a call is invoked before it returns");
}

TEST(LinearInvariants, OnlyWhatCannotBeExplainedHasAWitness) {
  const std::vector<Call> calls{call(Action::acquire, 0, 0, 1)};
  const AnyModel model = OwnerMutex{};
  const GeneralResult result = check_general(model, calls, {});
  EXPECT_EQ(result.answer, Answer::linearizable);
  expect_broken([&] { minimal_witness(model, calls, result, {}); },
                "only what cannot be explained has a witness");
}

}  // namespace linear_invariants_test
}  // namespace holdfast::linear
