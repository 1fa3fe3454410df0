#include "harness/machine/process/fork_apart.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace holdfast::live {

pid_t fork_apart() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return -1;
  }
  // What comes meanwhile waits for us, and the child will ignore it.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t child = fork();
  const int error = errno;
  if (child == 0) {
    setsid();
    for (const int ignored : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
      signal(ignored, SIG_IGN);
    }
    close(ends[0]);
    close(ends[1]);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return 0;
  }
  close(ends[1]);
  // Nor can anybody be killed with us from when we go on: its end of the pipe closes when it is apart.
  char nothing = 0;
  while (child > 0 && read(ends[0], &nothing, 1) < 0 && errno == EINTR) {
  }
  close(ends[0]);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return child;
}

}  // namespace holdfast::live
