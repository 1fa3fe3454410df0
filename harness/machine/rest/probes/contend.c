// Four threads contend for a lock, each with pauses of its own: who has it when?
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void pause_us(long length_us) {
  const struct timespec length = {0, length_us * 1000};
  nanosleep(&length, 0);
}

static void* work(void* number) {
  for (int round = 0; round < 8; ++round) {
    pthread_mutex_lock(&mutex);
    printf("%ld", (long)(intptr_t)number);
    pause_us(250);
    pthread_mutex_unlock(&mutex);
    pause_us(round % 2 == 0 ? 500 : 1);
  }
  return 0;
}

int main(void) {
  pthread_t threads[4];
  for (intptr_t number = 0; number < 4; ++number) {
    pthread_create(&threads[number], 0, work, (void*)(number + 1));
  }
  for (int number = 0; number < 4; ++number) {
    pthread_join(threads[number], 0);
  }
  printf("\n");
  return 0;
}
