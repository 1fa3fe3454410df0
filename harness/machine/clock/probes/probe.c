// Does with time what the test tells it to, line by line: see test_probe.h.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long read_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

#ifdef ALLOCATOR_ASKS_FOR_THE_TIME
// As allocators do that give memory back after a while.
extern void __libc_free(void*);
void free(void* memory) {
  read_clock(CLOCK_MONOTONIC);
  __libc_free(memory);
}
__attribute__((constructor)) static void leave_an_error_to_be_freed(void) {
  dlsym(RTLD_DEFAULT, "no_such_function");
}
#endif

static struct timespec as_timespec(long long ns) {
  return (struct timespec){ns / 1000000000, ns % 1000000000};
}

static struct timespec in_seconds(clockid_t clock, double seconds) {
  return as_timespec(read_clock(clock) + (long long)(seconds * 1e9));
}

static void say(const char* word) {
  puts(word);
  fflush(stdout);
}

static void show_all_clocks(void) {
  const clockid_t clocks[] = {CLOCK_REALTIME,         CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC,
                              CLOCK_MONOTONIC_COARSE, CLOCK_MONOTONIC_RAW,   CLOCK_BOOTTIME};
  for (size_t index = 0; index < sizeof clocks / sizeof *clocks; ++index) {
    printf("%lld ", read_clock(clocks[index]));
  }
  struct timeval now;
  gettimeofday(&now, NULL);
  time_t stored = 0;
  const time_t returned = time(&stored);
  printf("%lld %lld %s %s\n", now.tv_sec * 1000000LL + now.tv_usec, (long long)returned,
         returned == stored ? "same" : "different",
         read_clock(CLOCK_PROCESS_CPUTIME_ID) < 10000000000LL ? "own" : "page");
  fflush(stdout);
}

static const char* timed_out_if(int yes) {
  return yes ? "timed out" : "went wrong";
}

static const char* wait_for_condition(clockid_t clock, double seconds) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, clock);
  pthread_cond_init(&condition, &attributes);
  const struct timespec deadline = in_seconds(clock, seconds);
  pthread_mutex_lock(&mutex);
  int result = 0;
  while (result == 0) {
    result = pthread_cond_timedwait(&condition, &mutex, &deadline);
  }
  pthread_mutex_unlock(&mutex);
  return timed_out_if(result == ETIMEDOUT);
}

static const char* wait_in_select(double seconds, int descriptor) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(descriptor, &set);
  struct timeval timeout = {(time_t)seconds, (suseconds_t)((long long)(seconds * 1e6) % 1000000)};
  const int ready = select(descriptor + 1, &set, NULL, NULL, &timeout);
  return timed_out_if(ready == 0 && timeout.tv_sec == 0 && timeout.tv_usec == 0 &&
                      !FD_ISSET(descriptor, &set));
}

static const char* wait_in_epoll(double seconds, int descriptor) {
  const int set = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data = {.fd = descriptor}};
  epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
  const int ready = epoll_wait(set, &event, 1, (int)(seconds * 1000));
  close(set);
  return timed_out_if(ready == 0);
}

static const char* wait_for_semaphore(double seconds) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  const struct timespec deadline = in_seconds(CLOCK_REALTIME, seconds);
  return timed_out_if(sem_timedwait(&semaphore, &deadline) == -1 && errno == ETIMEDOUT);
}

static const char* wait_for_futex(double seconds) {
  uint32_t word = 0;
  const struct timespec length = as_timespec((long long)(seconds * 1e9));
  return timed_out_if(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &length, NULL, 0) == -1 &&
                      errno == ETIMEDOUT);
}

static const char* sleep_absolutely(clockid_t clock, double seconds) {
  const struct timespec deadline = in_seconds(clock, seconds);
  return timed_out_if(clock_nanosleep(clock, TIMER_ABSTIME, &deadline, NULL) == 0);
}

// Every kind of timed wait, for something that never comes.
static const char* wait_in(const char* kind, double seconds, int silent) {
  struct pollfd polled = {silent, POLLIN, 0};
  const struct timespec length = as_timespec((long long)(seconds * 1e9));
  if (strcmp(kind, "nanosleep") == 0) return timed_out_if(nanosleep(&length, NULL) == 0);
  if (strcmp(kind, "usleep") == 0) return timed_out_if(usleep((useconds_t)(seconds * 1e6)) == 0);
  if (strcmp(kind, "wall") == 0) return sleep_absolutely(CLOCK_REALTIME, seconds);
  if (strcmp(kind, "monotonic") == 0) return sleep_absolutely(CLOCK_MONOTONIC, seconds);
  if (strcmp(kind, "condition") == 0) return wait_for_condition(CLOCK_REALTIME, seconds);
  if (strcmp(kind, "steady_condition") == 0) return wait_for_condition(CLOCK_MONOTONIC, seconds);
  if (strcmp(kind, "poll") == 0) return timed_out_if(poll(&polled, 1, (int)(seconds * 1000)) == 0);
  if (strcmp(kind, "ppoll") == 0) return timed_out_if(ppoll(&polled, 1, &length, NULL) == 0);
  if (strcmp(kind, "select") == 0) return wait_in_select(seconds, silent);
  if (strcmp(kind, "epoll") == 0) return wait_in_epoll(seconds, silent);
  if (strcmp(kind, "semaphore") == 0) return wait_for_semaphore(seconds);
  if (strcmp(kind, "futex") == 0) return wait_for_futex(seconds);
  return "no such wait";
}

static void on_alarm(int number) {
  (void)number;
}

// A handled signal ends a sleep early, with what is left of it.
static void sleep_and_be_interrupted(double seconds) {
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  say("waiting");
  const struct timespec length = as_timespec((long long)(seconds * 1e9));
  struct timespec left = {0, 0};
  const int result = nanosleep(&length, &left);
  printf("%d %s %ld\n", result, errno == EINTR ? "interrupted" : "not interrupted", (long)left.tv_sec);
  fflush(stdout);
}

struct meeting {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  sem_t semaphore;
  int pipe[2];
  int met;
};

static void* meet(void* argument) {
  struct meeting* meeting = argument;
  pthread_mutex_lock(&meeting->mutex);
  meeting->met = 1;
  pthread_mutex_unlock(&meeting->mutex);
  pthread_cond_signal(&meeting->condition);
  sem_post(&meeting->semaphore);
  return write(meeting->pipe[1], "x", 1) == 1 ? NULL : argument;
}

// What a wait is for comes long before its end, on a clock that stands still.
static void meet_in_time(void) {
  struct meeting meeting = {
      .mutex = PTHREAD_MUTEX_INITIALIZER, .condition = PTHREAD_COND_INITIALIZER, .met = 0};
  sem_init(&meeting.semaphore, 0, 0);
  if (pipe(meeting.pipe) != 0) abort();
  const struct timespec deadline = in_seconds(CLOCK_REALTIME, 3600);
  pthread_t other;
  pthread_create(&other, NULL, meet, &meeting);
  pthread_mutex_lock(&meeting.mutex);
  int result = 0;
  while (!meeting.met && result == 0) {
    result = pthread_cond_timedwait(&meeting.condition, &meeting.mutex, &deadline);
  }
  pthread_mutex_unlock(&meeting.mutex);
  struct pollfd polled = {meeting.pipe[0], POLLIN, 0};
  const int posted = sem_timedwait(&meeting.semaphore, &deadline);
  const int ready = poll(&polled, 1, 3600000);
  printf("%d %d %d\n", result, posted, ready);
  fflush(stdout);
  pthread_join(other, NULL);
}

// From now on the kernel fails whatever would wait for a disk.
static void break_the_disk(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fsync, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fdatasync, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sync_file_range, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) abort();
}

static void sync_all(int pipe) {
  break_the_disk();
  const int file = memfd_create("file", 0);
  const int directory = open("/", O_RDONLY | O_DIRECTORY);
  printf("%d %d %d %d %d %d\n", fsync(file), fdatasync(file), sync_file_range(file, 0, 0, 0),
         fsync(directory), fsync(pipe), fsync(-1));
  fflush(stdout);
}

static void measure(long calls) {
  const long long start = read_clock(CLOCK_PROCESS_CPUTIME_ID);
  struct timespec time;
  for (long call = 0; call < calls; ++call) {
    clock_gettime(CLOCK_MONOTONIC, &time);
  }
  printf("%lld\n", (read_clock(CLOCK_PROCESS_CPUTIME_ID) - start) * 10 / calls);
  fflush(stdout);
}

int main(void) {
  int silent[2];
  if (pipe(silent) != 0) return 1;
  char line[128];
  while (fgets(line, sizeof line, stdin) != NULL) {
    char kind[32] = "";
    double number = 0;
    if (sscanf(line, "sleep %lf", &number) == 1) {
      say("waiting");
      sleep((unsigned int)number);
      say("timed out");
    } else if (sscanf(line, "wait %lf %31s", &number, kind) >= 1) {
      say("waiting");
      say(wait_in(kind[0] != 0 ? kind : "condition", number, silent[0]));
    } else if (sscanf(line, "interrupt %lf", &number) == 1) {
      sleep_and_be_interrupted(number);
    } else if (sscanf(line, "measure %lf", &number) == 1) {
      measure((long)number);
    } else if (strcmp(line, "clocks\n") == 0) {
      printf("%lld %lld\n", read_clock(CLOCK_REALTIME), read_clock(CLOCK_MONOTONIC));
      fflush(stdout);
    } else if (strcmp(line, "all clocks\n") == 0) {
      show_all_clocks();
    } else if (strcmp(line, "meet\n") == 0) {
      meet_in_time();
    } else if (strcmp(line, "sync\n") == 0) {
      sync_all(silent[0]);
    }
  }
  return 0;
}
