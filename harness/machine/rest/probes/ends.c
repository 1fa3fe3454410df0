// Its threads end in odd ways, named by its argument.
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}
static void* go_on(void* unused) {
  const long began_ns = now_ns();
  sleep(2);
  int ends[2];
  if (pipe(ends) != 0) {
    return 0;
  }
  struct pollfd polled = {ends[0], POLLIN, 0};
  const int result = poll(&polled, 1, 1500);
  printf("%d after %ld\n", result, now_ns() - began_ns);
  return 0;
}
static void* have_descriptors_of_ones_own(void* unused) {
  unshare(CLONE_FILES);
  return go_on(unused);
}
static void* sleep_long(void* seconds) {
  sleep((unsigned)(intptr_t)seconds);
  return 0;
}
static void* quit(void* unused) {
  sleep(1);
  exit(3);
}

int main(int count, char** arguments) {
  const char* const what = count > 1 ? arguments[1] : "";
  pthread_t thread;
  if (strcmp(what, "first ends") == 0) {
    pthread_create(&thread, 0, go_on, 0);
    pthread_exit(0);
  }
  if (strcmp(what, "descriptors") == 0) {
    pthread_create(&thread, 0, have_descriptors_of_ones_own, 0);
    pthread_join(thread, 0);
  } else if (strcmp(what, "unseen") == 0) {
    prctl(PR_SET_DUMPABLE, 0);
    sleep(2);
    printf("slept\n");
  } else {
    for (intptr_t number = 0; number < 20; ++number) {
      pthread_create(&thread, 0, sleep_long, (void*)(5 + number));
    }
    pthread_create(&thread, 0, quit, 0);
    sleep(strcmp(what, "first quits") == 0 ? 1 : 30);
  }
  return 3;
}
