// Waits in every way that there is, and says after each how long it took on its own clock: "nanosleep
// 1234567".
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LENGTH_NS 1500000001L
#define SECOND_NS 1000000000L

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * SECOND_NS + now.tv_nsec;
}

static int64_t began_ns;
static void begin(void) {
  began_ns = now_ns();
}
static void tell(const char* what, int is_well) {
  printf("%s %ld%s\n", what, (long)(now_ns() - began_ns), is_well ? "" : " (not well)");
  fflush(stdout);
}
static struct timespec later(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  const int64_t ns = time.tv_sec * SECOND_NS + time.tv_nsec + LENGTH_NS;
  time.tv_sec = ns / SECOND_NS;
  time.tv_nsec = ns % SECOND_NS;
  return time;
}

int main(void) {
  const struct timespec length = {LENGTH_NS / SECOND_NS, LENGTH_NS % SECOND_NS};
  int ends[2];
  if (pipe(ends) != 0) {
    return 1;
  }
  begin();
  tell("nanosleep", nanosleep(&length, NULL) == 0);
  begin();
  struct timespec at = later(CLOCK_REALTIME);
  tell("clock_nanosleep", clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, NULL) == 0);
  struct pollfd polled = {ends[0], POLLIN, 7};
  begin();
  tell("poll", poll(&polled, 1, 1500) == 0 && polled.revents == 0);
  begin();
  tell("ppoll", ppoll(&polled, 1, &length, NULL) == 0);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  begin();
  tell("pselect", pselect(ends[0] + 1, &set, NULL, NULL, &length, NULL) == 0 && !FD_ISSET(ends[0], &set));
  struct timeval left = {1, 500000};
  FD_SET(ends[0], &set);
  begin();
  tell("select", select(ends[0] + 1, &set, NULL, NULL, &left) == 0 && left.tv_sec == 0 && left.tv_usec == 0);
  const int epoll = epoll_create1(0);
  struct epoll_event event = {EPOLLIN, {.u64 = 42}};
  epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
  begin();
  tell("epoll", epoll_wait(epoll, &event, 1, 1500) == 0);
  begin();
  tell("epoll_pwait2", syscall(441, epoll, &event, 1, &length, NULL, 0) == 0);
  uint32_t word = 5;
  begin();
  tell("futex", syscall(SYS_futex, &word, FUTEX_WAIT, 5, &length, NULL, 0) == -1 && errno == ETIMEDOUT);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&mutex);
  begin();
  at = later(CLOCK_REALTIME);
  tell("condition", pthread_cond_timedwait(&condition, &mutex, &at) == ETIMEDOUT);
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  begin();
  at = later(CLOCK_REALTIME);
  tell("semaphore", sem_timedwait(&semaphore, &at) == -1 && errno == ETIMEDOUT);
  struct {
    uint64_t value, address;
    uint32_t flags, reserved;
  } words[1] = {{5, (uint64_t)&word, 2, 0}};
  begin();
  at = later(CLOCK_MONOTONIC);
  tell("futex_waitv", syscall(449, words, 1, 0, &at, CLOCK_MONOTONIC) == -1 && errno == ETIMEDOUT);
  // What is there already, is found.
  begin();
  if (write(ends[1], "x", 1) != 1) {
    return 1;
  }
  tell("ready poll", poll(&polled, 1, 1500) == 1 && polled.revents == POLLIN);
  FD_SET(ends[0], &set);
  tell("ready pselect",
       pselect(ends[0] + 1, &set, NULL, NULL, &length, NULL) == 1 && FD_ISSET(ends[0], &set));
  left.tv_sec = 2;
  tell("ready select", select(ends[0] + 1, &set, NULL, NULL, &left) == 1 && left.tv_sec == 2);
  event.data.u64 = 0;
  tell("ready epoll", epoll_wait(epoll, &event, 1, 1500) == 1 && event.data.u64 == 42);
  // Past the vDSO.
  struct timespec by_call;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &by_call);
  tell("call", by_call.tv_sec * SECOND_NS + by_call.tv_nsec == now_ns());
  return 0;
}
