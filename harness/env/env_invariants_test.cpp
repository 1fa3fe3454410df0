// What must hold between a client and a server: each test breaks one rule, and wants to be told which.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "harness/env/calls.h"
#include "harness/kernel/test_kernel.h"

namespace holdfast::env_invariants_test {

struct Word {
  std::string text;
};
std::string_view call_name(const Word& word) {
  return word.text;
}
std::string to_text(const Word& word) {
  return word.text;
}
std::uint64_t digest(const Word& word) {
  return hash_text(word.text);
}
using WordCalls = Calls<Word, Word>;

class AnswersTwice final : public WordCalls::Service {
 public:
  explicit AnswersTwice(WordCalls& calls) : calls_(calls) {}
  void serve(WordCalls::Call& call) override {
    calls_.respond(call, Word{"once"});
    calls_.respond(call, Word{"twice"});
  }

 private:
  WordCalls& calls_;
};

class EnvInvariants : public ::testing::Test {
 protected:
  EnvInvariants() {
    network.reset({});
    steps.reset(world.kernel.process_count());
    calls.reset();
  }
  ~EnvInvariants() override {
    world.kernel.stop();
    network.drop_everything();
  }

  template <typename Action>
  static std::string broken_by(const Action& action) {
    try {
      action();
    } catch (const BrokenInvariant& broken) {
      return broken.what();
    }
    return "nothing was broken";
  }

  TestKernel world;
  Steps steps;
  Network network{world.kernel};
  WordCalls calls{world.kernel, network, steps};
  Env env{world.kernel, steps, world.a, 1};
};

TEST_F(EnvInvariants, ACallIsAnsweredOnce) {
  AnswersTwice server(calls);
  const auto ask = [](WordCalls& via, Env& from, ProcessId to, AnswersTwice& service) -> Task<> {
    Word word{"hello"};  // not inside the co_await: GCC 12 would destroy it twice
    co_await via.call(from, to, service, 1s, std::move(word));
  };
  world.kernel.spawn(world.a, ask(calls, env, world.b, server));
  const std::string sentence = broken_by([&] { world.run(); });
  EXPECT_NE(sentence.find("a call is answered once"), std::string::npos) << sentence;
}

TEST_F(EnvInvariants, StepsAreTakenByProcessesOfThisRun) {
  const std::string sentence = broken_by(
      [&] { steps.take({.client = static_cast<ProcessId>(99), .name = "start", .call = nullptr}); });
  EXPECT_NE(sentence.find("whoever takes a step is a process of this run"), std::string::npos) << sentence;
}

TEST_F(EnvInvariants, SomethingIsDrawnFromAtLeastOneThing) {
  const std::string sentence = broken_by([&] { env.random(0); });
  EXPECT_NE(sentence.find("drawn from at least one thing"), std::string::npos) << sentence;
}

}  // namespace holdfast::env_invariants_test
