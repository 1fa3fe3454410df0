// Children are made by a process that then kills its own group, itself included, and have to tell of it.
#include "harness/machine/process/fork_apart.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/machine/process/send_signal.h"

namespace holdfast::live {
namespace fork_apart_test {

// The child's part: to be there still when its father is gone.
[[noreturn]] void outlive(pid_t father, int told) {
  for (int looks = 0; looks < 20'000 && getppid() == father; ++looks) {
    poll(nullptr, 0, 1);
  }
  const char letter = 'a';
  _exit(write(told, &letter, 1) == 1 ? 0 : 1);
}

// Whether the child of one whose group is ended by this signal, at once or while it forks, outlives it.
bool outlives(int number, bool while_it_forks) {
  int ends[2];
  if (pipe(ends) != 0) {
    return false;
  }
  const pid_t father = fork();
  if (father == 0) {
    setpgid(0, 0);
    const pid_t myself = getpid();
    if (while_it_forks) {  // it comes when fork_apart() lets it, and by then it must not reach the child
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, nullptr);
      send_signal_to_group(myself, number);
    }
    if (fork_apart() == 0) {
      close(ends[0]);
      sigset_t none;
      sigemptyset(&none);
      pthread_sigmask(SIG_SETMASK, &none, nullptr);
      outlive(myself, ends[1]);
    }
    send_signal_to_group(myself, SIGKILL);
    _exit(0);
  }
  close(ends[1]);
  waitpid(father, nullptr, 0);
  char letter = 0;
  const bool told = read(ends[0], &letter, 1) == 1;  // nothing: all who could have told are gone
  close(ends[0]);
  return told;
}

TEST(ForkApart, TheChildIsOutOfReachOfWhatEndsTheGroup) {
  for (int round = 0; round < 50; ++round) {
    ASSERT_TRUE(outlives(SIGKILL, false)) << "round " << round;
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
      ASSERT_TRUE(outlives(number, true)) << "round " << round << ", signal " << number;
    }
  }
}

TEST(ForkApart, LeavesTheSignalsOfWhoForksAsTheyWere) {
  sigset_t before;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  const pid_t child = fork_apart();
  if (child == 0) {
    _exit(getsid(0) == getpid() ? 7 : 1);
  }
  ASSERT_GT(child, 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  sigset_t after;
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  for (const int number : {SIGINT, SIGTERM, SIGCHLD, SIGUSR1}) {
    EXPECT_EQ(sigismember(&before, number), sigismember(&after, number)) << number;
  }
}

}  // namespace fork_apart_test
}  // namespace holdfast::live
