// Looks at children that sleep, run, and are gone.
#include "harness/machine/rest/threads_look.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

#include "harness/machine/process/child.h"
#include "harness/machine/process/test_place.h"

namespace holdfast::rest {
namespace threads_look_test {

std::unique_ptr<live::Child> start(const std::string& script) {
  live::ChildOptions options;
  options.arguments = {"sh", "-c", script};
  return std::make_unique<live::Child>(options);
}

bool nobody_is_held(pid_t) {
  return false;
}

TEST(ThreadsLook, OfASleeperIsTheSameTwice) {
  const auto child = start("exec sleep 1000");
  EXPECT_TRUE(live::TestPlace::becomes_true([&] {
    ThreadsLook one;
    ThreadsLook other;
    return one.add(child->process(), nobody_is_held) && other.add(child->process(), nobody_is_held) &&
           one == other && !one.is_empty();
  }));
}

TEST(ThreadsLook, OfOneWhoRunsFails) {
  const auto child = start("while :; do :; done");
  EXPECT_TRUE(
      live::TestPlace::becomes_true([&] { return !ThreadsLook().add(child->process(), nobody_is_held); }));
}

TEST(ThreadsLook, SeesThatASleeperRanBetween) {
  const auto child =
      start("while :; do read line </dev/zero || sleep 0.01; done & while :; do sleep 0.02; done");
  ThreadsLook before;
  EXPECT_TRUE(live::TestPlace::becomes_true([&] {
    before = ThreadsLook();
    return before.add(child->process(), nobody_is_held);
  }));
  EXPECT_TRUE(live::TestPlace::becomes_true([&] {
    ThreadsLook after;
    return after.add(child->process(), nobody_is_held) && !(after == before);
  }));
}

TEST(ThreadsLook, LeavesOutWhoIsHeldAndWhoIsGone) {
  const auto child = start("while :; do :; done");
  ThreadsLook look;
  EXPECT_TRUE(look.add(child->process(), [](pid_t) { return true; }));
  EXPECT_TRUE(look.is_empty());
  const pid_t process = child->process();
  child->kill();
  EXPECT_FALSE(ThreadsLook().add(process, nobody_is_held));
}

}  // namespace threads_look_test
}  // namespace holdfast::rest
