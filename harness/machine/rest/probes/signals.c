// Waits in one way, named by its argument, and is interrupted after a second by a signal of its other thread:
// says how long that was, what the call said, what is left of a sleep, and whether the signal was caught by
// then.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_t first;
static volatile int caught;
static void catch_it(int number) {
  caught = number;
}
static long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}
static void* signal_first(void* process) {
  sleep(1);
  if (process != 0) {
    kill(getpid(), SIGUSR1);
  } else {
    pthread_kill(first, SIGUSR1);
  }
  sleep(9);
  return 0;
}

int main(int count, char** arguments) {
  const char* const what = count > 1 ? arguments[1] : "";
  const struct timespec length = {5, 0};
  struct timespec left = {0, 0};
  sigset_t one;
  sigset_t none;
  sigemptyset(&none);
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  first = pthread_self();
  const struct sigaction action = {.sa_handler = catch_it};
  sigaction(SIGUSR1, &action, 0);
  const int is_behind_mask = strstr(what, "mask") != 0 || strcmp(what, "blocked") == 0;
  pthread_t other;
  pthread_create(&other, 0, signal_first, strcmp(what, "poll") == 0 ? &first : 0);
  if (is_behind_mask) {
    pthread_sigmask(SIG_BLOCK, &one, 0);
  }
  if (strcmp(what, "ignored") == 0) {
    signal(SIGUSR1, SIG_IGN);
  }
  const long began_ns = now_ns();
  int result = 0;
  uint32_t word = 5;
  if (strcmp(what, "poll") == 0) {
    result = poll(0, 0, 5000);
  } else if (strcmp(what, "mask of pselect") == 0) {
    result = pselect(0, 0, 0, 0, &length, &none);
  } else if (strcmp(what, "mask of ppoll") == 0) {
    result = ppoll(0, 0, &length, &none);
  } else if (strcmp(what, "futex") == 0) {
    result = (int)syscall(SYS_futex, &word, FUTEX_WAIT, 5, 0, 0, 0);
  } else {
    result = nanosleep(&length, &left);
  }
  printf("%ld %s %ld %d\n", now_ns() - began_ns, result == 0 ? "done" : strerror(errno), (long)left.tv_sec,
         caught);
  fflush(stdout);
  _exit(0);
}
