// Would the comparison with the oracle notice a wrong checker? Each of these is wrong in one way.
#include <gtest/gtest.h>

#include <optional>

#include "harness/check/linear/general.h"
#include "harness/check/linear/oracle.h"
#include "harness/check/linear/test_histories.h"

namespace holdfast::linear {
namespace mutants_test {

// The first seed whose history the broken check judges otherwise than the oracle.
template <class Model, class Check>
std::optional<std::uint64_t> first_difference(const Model& model, const Check& check) {
  const std::uint64_t most = std::max<std::uint64_t>(random_histories(), 100000);
  for (std::uint64_t seed = 1; seed <= most; ++seed) {
    const std::vector<Call> calls = random_calls(model, seed);
    if ((check(calls) == Answer::linearizable) != oracle_says_linearizable(model, calls)) {
      return seed;
    }
  }
  return std::nullopt;
}

template <class Model, class Mutant>
bool is_caught(const Model& model, const Mutant& mutant) {
  return first_difference(
             model, [&](const std::vector<Call>& calls) { return check_general(mutant, calls, {}).answer; })
      .has_value();
}

template <class Model, class Rules>
bool is_caught_with(const Model& model) {
  return first_difference(model,
                          [&](const std::vector<Call>& calls) {
                            return check_general<Model, Rules>(model, calls, {}).answer;
                          })
      .has_value();
}

template <class Model>
struct RefusalsIgnored : Model {
  std::optional<typename Model::State> step(const typename Model::State& state, const Call& call) const {
    return is_refused(call) ? std::optional(state) : Model::step(state, call);
  }
};

struct TokensMayRepeat : FencedMutex {
  std::optional<State> step(const State& state, const Call& call) const {
    State forgetful = state;
    if (is_acquire(call.action) && call.token == state.tokens.greatest) {
      --forgetful.tokens.greatest;
    }
    return FencedMutex::step(forgetful, call);
  }
};

struct StaleWritesPass : FencedRegister {
  std::optional<State> step(const State& state, const Call& call) const {
    const std::optional<State> after = FencedRegister::step(state, call);
    return after || is_refused(call) || call.action == Action::read ? after : State{call.value, state.tokens};
  }
};

struct EqualTokensAreRefused : FencedRegister {
  std::optional<State> step(const State& state, const Call& call) const {
    const bool equal = call.token && state.tokens.any && *call.token == state.tokens.greatest;
    return equal && !is_refused(call) ? std::nullopt : FencedRegister::step(state, call);
  }
};

struct StatesForgotten : ExactRules {
  static constexpr bool memo_compares_states = false;
};

struct MoreInfosPreferred : ExactRules {
  static constexpr bool memo_prefers_fewer_infos = false;
};

struct InfosFromTheStart : ExactRules {
  static constexpr bool infos_wait_for_their_invocation = false;
};

struct OneInfoAtATime : ExactRules {
  static constexpr bool infos_may_be_chained = false;
};

struct AnythingAtOnce : ExactRules {
  static constexpr bool only_observers_are_taken_at_once = false;
};

TEST(AMutant, ThatIgnoresRefusalsIsCaught) {
  EXPECT_TRUE(is_caught(Mutex{}, RefusalsIgnored<Mutex>{}));
  EXPECT_TRUE(is_caught(ReadWriteLock{}, RefusalsIgnored<ReadWriteLock>{}));
  EXPECT_TRUE(is_caught(CasRegister{}, RefusalsIgnored<CasRegister>{}));
  EXPECT_TRUE(is_caught(FencedRegister{}, RefusalsIgnored<FencedRegister>{}));
}

TEST(AMutant, WithOnePermitMoreOrLessIsCaught) {
  Semaphore two;
  two.permits = 2;
  Semaphore other = two;
  other.permits = 3;
  EXPECT_TRUE(is_caught(two, other));
  other.permits = 1;
  EXPECT_TRUE(is_caught(two, other));
}

TEST(AMutant, WithAnotherCountIsCaught) {
  EXPECT_TRUE(is_caught(Latch{2}, Latch{1}));
  EXPECT_TRUE(is_caught(Latch{2}, Latch{3}));
}

TEST(AMutant, ThatLetsATokenRepeatIsCaught) {
  EXPECT_TRUE(is_caught(FencedMutex{}, TokensMayRepeat{}));
}

TEST(AMutant, OfStorageThatTakesStaleTokensOrRefusesEqualOnesIsCaught) {
  EXPECT_TRUE(is_caught(FencedRegister{}, StaleWritesPass{}));
  EXPECT_TRUE(is_caught(FencedRegister{}, EqualTokensAreRefused{}));
}

TEST(AMutant, ThatTakesOneLockForAnotherIsCaught) {
  EXPECT_TRUE(is_caught(OwnerMutex{}, Mutex{}));
  EXPECT_TRUE(is_caught(OwnerMutex{}, ReentrantMutex{}));
  EXPECT_TRUE(is_caught(OwnerMutex{}, FifoMutex{}));
  EXPECT_TRUE(is_caught(FencedMutex{}, OwnerMutex{}));
  EXPECT_TRUE(is_caught(ReentrantFencedMutex{}, ReentrantMutex{}));
  EXPECT_TRUE(is_caught(FifoMutex{}, OwnerMutex{}));
  EXPECT_TRUE(is_caught(ReadWriteLock{}, OwnerMutex{}));
}

TEST(AMutant, ThatForgetsInfoCallsIsCaught) {
  const auto without_infos = [](std::vector<Call> calls) {
    std::erase_if(calls, [](const Call& call) { return call.outcome == Outcome::info; });
    return check_general(CasRegister{}, calls, {}).answer;
  };
  EXPECT_TRUE(first_difference(CasRegister{}, without_infos));
}

TEST(AMutant, ThatInsistsOnInfoCallsIsCaught) {
  const auto insisting = [](std::vector<Call> calls) {
    for (Call& call : calls) {
      call.outcome = Outcome::ok;
    }
    return check_general(Mutex{}, calls, {}).answer;
  };
  EXPECT_TRUE(first_difference(Mutex{}, insisting));
}

TEST(AMutant, ThatForgetsTheStateInItsMemoIsCaught) {
  EXPECT_TRUE((is_caught_with<CasRegister, StatesForgotten>(CasRegister{})));
}

TEST(AMutant, WhoseMemoPrefersMoreInfoCallsIsCaught) {
  EXPECT_TRUE((is_caught_with<CasRegister, MoreInfosPreferred>(CasRegister{})));
}

TEST(AMutant, ThatUsesInfoCallsBeforeTheirInvocationIsCaught) {
  EXPECT_TRUE((is_caught_with<Register, InfosFromTheStart>(Register{})));
}

TEST(AMutant, ThatNeverUsesTwoInfoCallsInARowIsCaught) {
  EXPECT_TRUE((is_caught_with<OwnerMutex, OneInfoAtATime>(OwnerMutex{})));
}

TEST(AMutant, ThatTakesEveryHarmlessLookingCallAtOnceIsCaught) {
  EXPECT_TRUE((is_caught_with<Register, AnythingAtOnce>(Register{})));
}

}  // namespace mutants_test
}  // namespace holdfast::linear
