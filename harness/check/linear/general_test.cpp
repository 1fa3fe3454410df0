// The general checker against the oracle, on random small histories of every model; and against checkers that
// are broken on purpose, to see that this comparison would notice.
#include "harness/check/linear/general.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "harness/check/linear/generate.h"
#include "harness/check/linear/minimal.h"
#include "harness/check/linear/oracle.h"
#include "harness/check/linear/pairs.h"

namespace holdfast::linear {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t default_histories = 5000;
#else
constexpr std::uint64_t default_histories = 100000;
#endif

std::uint64_t histories() {
  const char* const asked = std::getenv("HOLDFAST_RANDOM_HISTORIES");
  return asked != nullptr ? std::strtoull(asked, nullptr, 10) : default_histories;
}

AnyModel model_called(const std::string& text) {
  return std::get<AnyModel>(parse_model(text));
}

std::vector<Call> random_calls(const AnyModel& model, std::uint64_t seed) {
  const auto paired = pair_calls(generate_history(model, {}, seed), ended_lets_go(model));
  const auto& keys = std::get<std::vector<KeyCalls>>(paired);
  return keys.empty() ? std::vector<Call>() : keys.front().calls;
}

class RandomHistories : public ::testing::TestWithParam<std::string> {};

// Whether an order explains every answer: the checker's own words, checked.
template <class Model>
void expect_explains(const Model& model, const std::vector<Call>& calls, const GeneralResult& result) {
  auto state = model.initial();
  std::size_t required = 0;
  for (std::size_t at = 0; at < result.order.size(); ++at) {
    const Call& call = calls[result.order[at]];
    for (std::size_t later = at + 1; later < result.order.size(); ++later) {
      ASSERT_GT(calls[result.order[later]].returned, call.invoked);
    }
    const auto next = model.step(state, call);
    ASSERT_TRUE(next.has_value());
    state = *next;
    required += call.outcome == Outcome::ok ? 1 : 0;
  }
  if (result.answer == Answer::linearizable) {
    ASSERT_EQ(required, static_cast<std::size_t>(std::ranges::count_if(calls, [&](const Call& call) {
                return call.outcome == Outcome::ok && model.knows(call.action);
              })));
  }
}

TEST_P(RandomHistories, AreJudgedAsTheOracleJudgesThem) {
  const AnyModel model = model_called(GetParam());
  std::uint64_t linearizable = 0;
  std::uint64_t calls_sum = 0;
  const std::uint64_t count = histories();
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const std::vector<Call> calls = random_calls(model, seed);
    calls_sum += calls.size();
    with_model(model, [&](const auto& each) {
      const bool expected = oracle_says_linearizable(each, calls);
      const GeneralResult result = check_general(each, calls, {});
      ASSERT_EQ(to_text(result.answer), expected ? "linearizable" : "violated") << "seed " << seed;
      expect_explains(each, calls, result);
      linearizable += expected ? 1 : 0;
    });
    if (HasFatalFailure()) {
      return;
    }
  }
  RecordProperty("linearizable_percent", static_cast<int>(100 * linearizable / count));
  std::printf("%s: %llu %% linearizable, %.1f calls\n", GetParam().c_str(),
              (unsigned long long)(100 * linearizable / count), (double)calls_sum / (double)count);
  EXPECT_GT(linearizable, count / 4);
  EXPECT_LT(linearizable, count * 4 / 5);
}

INSTANTIATE_TEST_SUITE_P(OfEveryModel, RandomHistories,
                         ::testing::Values("mutex", "owner-mutex", "reentrant-mutex", "fenced-mutex",
                                           "reentrant-fenced-mutex", "fifo-mutex", "rw-lock", "semaphore:2",
                                           "latch:2", "register", "cas-register", "counter",
                                           "fenced-register"));

}  // namespace
}  // namespace holdfast::linear
