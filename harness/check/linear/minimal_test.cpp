// The minimal witness: by hand where a person can say what it should be, and by its definition on random
// histories.
#include "harness/check/linear/minimal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/check/linear/oracle.h"
#include "harness/check/linear/test_histories.h"

namespace holdfast::linear {
namespace minimal_test {

using ::testing::ElementsAre;

std::vector<std::uint32_t> witness_of(const AnyModel& model, const std::vector<Call>& calls) {
  const GeneralResult result = check_general(model, calls, {});
  EXPECT_EQ(result.answer, Answer::violated);
  const MinimalWitness witness = minimal_witness(model, calls, result, {});
  EXPECT_TRUE(witness.is_minimal);
  return witness.calls;
}

TEST(MinimalWitness, OfTwoHoldersIsTheirGrantsAndNotWhatWentBefore) {
  std::vector<Call> calls;
  for (Position each = 0; each < 100; ++each) {
    calls.push_back(call(each % 2 == 0 ? Action::acquire : Action::release,
                         static_cast<ClientNumber>(each / 2 % 3), 2 * each, 2 * each + 1));
  }
  calls.push_back(call(Action::acquire, 1, 200, 201));
  calls.push_back(call(Action::acquire, 2, 202, 203));
  calls.push_back(call(Action::release, 1, 204, 205));
  EXPECT_THAT(witness_of(OwnerMutex{}, calls), ElementsAre(100, 101));
}

TEST(MinimalWitness, OfAStaleReadIsWhatCameBetween) {
  const std::vector<Call> calls = {
      call(Action::write, 0, 0, 1).with_value(5), call(Action::write, 0, 2, 3).with_value(1),
      call(Action::write, 1, 4, 5).with_value(2), call(Action::read, 0, 6, 7).with_value(2),
      call(Action::read, 0, 8, 9).with_value(1)};
  EXPECT_THAT(witness_of(Register{}, calls), ElementsAre(3, 4));
}

template <class Model>
void expect_minimal(const Model& model, std::vector<Call> calls, const std::vector<std::uint32_t>& witness) {
  std::vector<Call> alone;
  for (std::uint32_t index = 0; index < calls.size(); ++index) {
    if (std::ranges::find(witness, index) == witness.end()) {
      calls[index] = relaxed(calls[index]);
    } else {
      alone.push_back(calls[index]);
    }
  }
  ASSERT_FALSE(oracle_says_linearizable(model, calls));
  ASSERT_FALSE(oracle_says_linearizable(model, alone));
  for (const std::uint32_t index : witness) {
    const Call kept = std::exchange(calls[index], relaxed(calls[index]));
    ASSERT_TRUE(oracle_says_linearizable(model, calls));
    calls[index] = kept;
  }
}

class MinimalWitnesses : public ::testing::TestWithParam<std::string> {};

TEST_P(MinimalWitnesses, OfRandomHistoriesCannotBeExplainedAndNothingCanBeSpared) {
  const AnyModel any = model_called(GetParam());
  for (std::uint64_t seed = 1; seed <= random_histories() / 50 && !HasFatalFailure(); ++seed) {
    const std::vector<Call> calls = random_calls(any, seed);
    if (check_general(any, calls, {}).answer == Answer::violated) {
      with_model(any, [&](const auto& model) { expect_minimal(model, calls, witness_of(any, calls)); });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfEveryModel, MinimalWitnesses, ::testing::ValuesIn(one_of_each_model()));

TEST(MinimalWitness, IsMarkedIfALimitWasMet) {
  const std::vector<Call> calls = {call(Action::acquire, 0, 0, 1), call(Action::release, 0, 2, 3),
                                   call(Action::acquire, 1, 4, 5), call(Action::acquire, 2, 6, 7)};
  const GeneralResult result = check_general(AnyModel(OwnerMutex{}), calls, {});
  const MinimalWitness witness = minimal_witness(OwnerMutex{}, calls, result, {.stop = [] { return true; }});
  EXPECT_FALSE(witness.is_minimal);
  EXPECT_THAT(witness.calls, ElementsAre(0, 1, 2, 3));
}

}  // namespace minimal_test
}  // namespace holdfast::linear
