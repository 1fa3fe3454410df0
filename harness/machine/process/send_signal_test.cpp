// Signals that must never be sent, with signal 0, which does nothing to whom it reaches: success would show
// that it went out.
#include "harness/machine/process/send_signal.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace holdfast::live {
namespace send_signal_test {

constexpr int harmless = 0;

TEST(SendSignal, RefusesEverybodyOurGroupAndTheFatherOfAll) {
  for (const pid_t process : {1, 0, -1, -2, -static_cast<int>(getpgrp())}) {
    EXPECT_FALSE(send_signal(process, harmless)) << process;
    EXPECT_FALSE(send_signal_to_group(process, harmless)) << process;
    EXPECT_FALSE(send_signal_to_thread(process, process, harmless)) << process;
    EXPECT_FALSE(send_signal_to_thread(getpid(), process, harmless)) << process;
    EXPECT_FALSE(send_signal_by_descriptor(0, process, harmless)) << process;
  }
}

TEST(SendSignal, ReachesAProcessItsGroupAndItsThread) {
  EXPECT_TRUE(send_signal(getpid(), harmless));
  EXPECT_TRUE(send_signal_to_group(getpgrp(), harmless));
  EXPECT_TRUE(send_signal_to_thread(getpid(), getpid(), harmless));
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0));
  EXPECT_TRUE(send_signal_by_descriptor(descriptor, getpid(), harmless));
  close(descriptor);
}

TEST(SendSignal, SaysThatNobodyIsThere) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(0);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(send_signal(child, harmless));
  EXPECT_FALSE(send_signal_by_descriptor(-1, child, harmless));
}

}  // namespace send_signal_test
}  // namespace holdfast::live
