// What must hold in a history and its checks: each test breaks one rule, and wants to be told which.
#include <gtest/gtest.h>

#include "harness/check/checks.h"
#include "harness/kernel/test_kernel.h"

namespace holdfast::check_invariants_test {

template <typename Action>
std::string broken_by(const Action& action) {
  try {
    action();
  } catch (const BrokenInvariant& broken) {
    return broken.what();
  }
  return "nothing was broken";
}

class CheckInvariants : public ::testing::Test {
 protected:
  CheckInvariants() {
    history.reset(world.kernel, false);
    checks.reset({}, properties, history);
  }

  TestKernel world;
  History history;
  std::vector<std::string> properties;
  Checks checks;
};

TEST_F(CheckInvariants, NoFaultEndsThatDidNotBegin) {
  const std::string sentence = broken_by([&] {
    history.record({.type = EventType::fault_end, .process = world.a, .token = std::nullopt, .value = 1});
  });
  EXPECT_NE(sentence.find("no fault ends that did not begin"), std::string::npos) << sentence;
}

TEST_F(CheckInvariants, EventsAreOfProcessesOfThisRun) {
  const std::string sentence = broken_by([&] {
    history.record({.type = EventType::died, .process = static_cast<ProcessId>(99), .token = std::nullopt});
  });
  EXPECT_NE(sentence.find("a process of this run"), std::string::npos) << sentence;
}

TEST_F(CheckInvariants, TheWordsOfAnEventAreOfThisRun) {
  Event event;
  event.text = 7;
  const std::string sentence = broken_by([&] { history.text(event); });
  EXPECT_NE(sentence.find("the words of an event are of this run"), std::string::npos) << sentence;
}

TEST_F(CheckInvariants, AHistoryBelongsToARun) {
  History alone;
  const std::string sentence = broken_by([&] { alone.record({.token = std::nullopt}); });
  EXPECT_NE(sentence.find("a history belongs to a run"), std::string::npos) << sentence;
}

TEST_F(CheckInvariants, ALockCanBeHeldBySomebody) {
  const CheckContext nobody{.permits = 0};
  const std::string sentence = broken_by([&] { checks.reset(nobody, properties, history); });
  EXPECT_NE(sentence.find("a lock can be held by somebody"), std::string::npos) << sentence;
}

}  // namespace holdfast::check_invariants_test
