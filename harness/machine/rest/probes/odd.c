// Does one odd thing, named by its argument, and waits.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

static long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

int main(int count, char** arguments) {
  const char* const what = count > 1 ? arguments[1] : "";
  const struct itimerspec timer = {{0, 0}, {1, 0}};
  const struct itimerval interval = {{0, 0}, {1, 0}};
  const struct timeval second = {1, 0};
  if (strcmp(what, "fork") == 0) {
    if (fork() == 0) {
      sleep(1000);
    }
  } else if (strcmp(what, "exec") == 0) {
    execl("/bin/true", "true", (char*)0);
  } else if (strcmp(what, "timerfd") == 0) {
    timerfd_settime(timerfd_create(CLOCK_MONOTONIC, 0), 0, &timer, 0);
  } else if (strcmp(what, "setitimer") == 0) {
    setitimer(ITIMER_REAL, &interval, 0);
  } else if (strcmp(what, "alarm") == 0) {
    alarm(1);
  } else if (strcmp(what, "socket timeout") == 0) {
    setsockopt(socket(AF_INET, SOCK_STREAM, 0), SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
  } else if (strcmp(what, "io_uring") == 0) {
    char parameters[120] = {0};
    const long result = syscall(425, 4, parameters);
    printf("%s\n", result < 0 ? strerror(errno) : "has one");
  } else if (strcmp(what, "signalfd") == 0) {
    sigset_t none;
    sigemptyset(&none);
    signalfd(-1, &none, 0);
  } else if (strcmp(what, "be traced") == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
  } else if (strcmp(what, "be strict") == 0) {
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  } else if (strcmp(what, "listen to itself") == 0) {
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, 0);
  } else if (strcmp(what, "wait for a signal") == 0 || strcmp(what, "look for a signal") == 0) {
    sigset_t set;
    sigemptyset(&set);
    const struct timespec length = {what[0] == 'w', 0};
    sigtimedwait(&set, 0, &length);
    printf("looked\n");
  } else if (strcmp(what, "call as 32 bit") == 0) {
    long result = 24;  // getuid there, sched_yield here
    __asm__ volatile("int $0x80" : "+a"(result));
  } else if (strcmp(what, "set the clock") == 0) {
    const struct timespec then = {1, 0};
    struct timex change = {.modes = 0};
    printf("%d", clock_settime(12345, &then));
    printf(" %d\n", adjtimex(&change));
  } else if (strcmp(what, "read odd clocks") == 0) {
    struct tms used;
    struct sysinfo state;
    const long before = times(&used);
    sleep(100);
    sysinfo(&state);
    printf("%ld %ld\n", times(&used) - before, (long)state.uptime);
  } else if (strcmp(what, "yield on and on") == 0) {
    for (;;) {
      sched_yield();
    }
  } else if (strcmp(what, "spin") == 0) {
    for (const long began = now_ns(); now_ns() == began;) {
    }
    printf("it changed\n");
  } else if (strcmp(what, "spin to the next second") == 0) {
    for (const time_t began = time(0); time(0) == began;) {
    }
    printf("it changed\n");
  } else if (strcmp(what, "look without waiting") == 0) {
    for (int looks = 0; looks < 3; ++looks) {
      struct timeval none = {0, 0};
      select(0, 0, 0, 0, &none);
      poll(0, 0, 0);
    }
    printf("looked\n");
  } else if (strcmp(what, "wait for exceptions") == 0) {
    int ends[2];
    struct timeval timeout = second;
    fd_set set;
    FD_ZERO(&set);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && close(ends[1]) == 0) {
      FD_SET(ends[0], &set);
    }
    const long began = now_ns();
    const int found = select(ends[0] + 1, 0, 0, &set, &timeout);
    printf("%d after %ld\n", found, now_ns() - began);
  } else if (strcmp(what, "spin politely") == 0) {
    for (const long began = now_ns(); now_ns() == began;) {
      sched_yield();
    }
    printf("it changed\n");
  } else if (strcmp(what, "back off") == 0) {
    const struct timespec short_while = {0, 50000};
    for (const long began = now_ns(); now_ns() == began;) {
      nanosleep(&short_while, 0);
    }
    printf("it changed\n");
  } else if (strcmp(what, "compute") == 0) {
    for (volatile long counter = 0;; ++counter) {
    }
  } else if (strcmp(what, "sleep till yesterday") == 0) {
    for (const struct timespec yesterday = {1, 0};;) {
      clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &yesterday, 0);
    }
  } else if (strcmp(what, "ask on and on") == 0) {
    for (char bytes[8];;) {
      syscall(SYS_getrandom, bytes, sizeof bytes, 0);
    }
  } else if (strcmp(what, "read wall clock") == 0) {
    for (;;) {
      struct timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      printf("%ld\n", (long)now.tv_sec);
      fflush(stdout);
      now.tv_sec += 10;
      clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &now, 0);
    }
  }
  fflush(stdout);
  if (strncmp(what, "spin", 4) != 0 && strcmp(what, "back off") != 0) {
    sleep(1000);
  }
  return 0;
}
