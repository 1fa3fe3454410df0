// What must hold at the doors of the machine: each test breaks one rule, and wants to be told which.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/kernel/require.h"
#include "harness/machine/clock/clock_way.h"
#include "harness/machine/clock/test_probe.h"
#include "harness/machine/clock/verified_launch.h"
#include "harness/machine/net/poller.h"
#include "harness/machine/net/socket.h"
#include "harness/machine/process/child.h"
#include "harness/machine/process/guard.h"
#include "harness/machine/program/server_program.h"
#include "harness/machine/rest/supervisor.h"
#include "harness/machine/rest/why_no_rest.h"

namespace holdfast::machine_invariants_test {

using testing::HasSubstr;
using testing::ThrowsMessage;

template <typename Action>
void expect_broken(const Action& action, const std::string& rule) {
  EXPECT_THAT(action, ThrowsMessage<BrokenInvariant>(HasSubstr(rule)));
}

TEST(MachineInvariants, AChildHasAProgram) {
  expect_broken([] { live::Child(live::ChildOptions{}); }, "a child has a program");
  expect_broken([] { program_in({}); }, "a command has a program");
  expect_broken([] { live::ServerProgram(""); }, "a program has a name");
  expect_broken([] { live::ServerProgram("/", {}); }, "a tree is searched for a program");
}

TEST(MachineInvariants, NobodyIsKilledWhomWeDidNotStart) {
  for (const pid_t process : {-1, 0, 1}) {
    expect_broken([&] { live::Guard::instance().watch(process); }, "a process that we started");
  }
}

TEST(MachineInvariants, NothingIsRemovedThatIsNoPlaceOfItsOwn) {
  for (const char* const place : {"", "/", "beside", "/place/"}) {
    expect_broken([&] { live::Guard::instance().watch(std::filesystem::path(place)); },
                  "what is removed at the end is a place of its own");
  }
}

TEST(MachineInvariants, AClockPageShowsWhatAClockCanShow) {
  const test_probe::Folder folder;
  ClockPage page(folder.file("page"));
  expect_broken([&] { page.set(-1, 0); }, "no clock shows a time before its beginning");
  expect_broken([&] { page.set(0, -1); }, "no clock shows a time before its beginning");
  page.set(10, 10);
  page.set(9, 10);  // a wall clock may
  expect_broken([&] { page.set(10, 9); }, "a monotonic clock does not go back");
  expect_broken([&] { page.set_back_off(-1); }, "a back-off lasts some time");
}

TEST(MachineInvariants, WhoIsVerifiedWasStarted) {
  const test_probe::Folder folder;
  ClockPage page(folder.file("page"));
  const VerifiedLaunch launch(page, folder.file(""), {"/bin/sh"});
  expect_broken([&] { launch.verify(-1); }, "whoever is verified was started");
  const ClockLaunch unverified(page.file(), folder.file("clock.so"), ClockWay::libc);
  expect_broken([&] { unverified.in_parent(0); }, "whoever is put on a page is a child of ours");
}

TEST(MachineInvariants, AConnectionHasSomebodyWhoHears) {
  live::Poller poller;
  expect_broken([&] { live::Socket(poller, {.endpoint = {}, .heard = {}, .ended = {}}); },
                "somebody who hears of its messages");
}

TEST(MachineInvariants, NobodyIsWaitedForTwice) {
  struct Nothing final : live::Pollable {
    int descriptor() const override { return -1; }
    bool wants_to_write() const override { return false; }
    void on_ready() override {}
  };
  live::Poller poller;
  Nothing nothing;
  poller.add(nothing);
  expect_broken([&] { poller.add(nothing); }, "nobody is waited for twice");
}

TEST(MachineInvariants, TimeAtRestDoesNotGoBack) {
  if (const std::string why = rest::why_no_rest(); !why.empty()) {
    GTEST_SKIP() << why;
  }
  rest::Supervisor supervisor;
  supervisor.advance_to(1000);
  expect_broken([&] { supervisor.advance_to(999); }, "time does not go back");
  expect_broken([&] { supervisor.jump_to(999); }, "time does not go back");
  expect_broken([&] { supervisor.kill(0); }, "a program that is named was started");
  expect_broken([&] { supervisor.step_wall_clock(0, 1); }, "a clock that steps is that of a program");
  expect_broken([&] { supervisor.come_up([] { return true; }, 1); }, "somebody comes up, in some time");
}

}  // namespace holdfast::machine_invariants_test
