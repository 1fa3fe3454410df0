// Listens at a socket in its directory (the first argument), and passes each message on to another one (the
// second; none: it says it), with a word of its own. It waits without a timeout, in a thread that another one
// feeds.
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static char message[1000];
static int is_full;

static struct sockaddr_un address_of(const char* path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  return address;
}

static void* read_on(void* name) {
  const struct sockaddr_un address = address_of(name);
  const int listening = socket(AF_UNIX, SOCK_STREAM, 0);
  bind(listening, (const struct sockaddr*)&address, sizeof address);
  listen(listening, 5);
  const int connection = accept(listening, 0, 0);
  for (;;) {
    char bytes[500];
    struct pollfd polled = {connection, POLLIN, 0};
    poll(&polled, 1, -1);
    const ssize_t got = read(connection, bytes, sizeof bytes - 1);
    if (got <= 0) {
      return 0;
    }
    bytes[got] = 0;
    pthread_mutex_lock(&mutex);
    strcat(message, bytes);
    is_full = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  }
}

int main(int count, char** arguments) {
  int next = -1;
  if (count > 2) {
    const struct sockaddr_un address = address_of(arguments[2]);
    next = socket(AF_UNIX, SOCK_STREAM, 0);
    while (connect(next, (const struct sockaddr*)&address, sizeof address) != 0) {
      sleep(1);
    }
  }
  pthread_t reader;
  pthread_create(&reader, 0, read_on, arguments[1]);
  for (;;) {
    pthread_mutex_lock(&mutex);
    while (!is_full) {
      pthread_cond_wait(&condition, &mutex);
    }
    strcat(message, arguments[1]);
    if (next >= 0) {
      send(next, message, strlen(message), MSG_NOSIGNAL);
    } else {
      printf("%s\n", message);
      fflush(stdout);
    }
    message[0] = 0;
    is_full = 0;
    pthread_mutex_unlock(&mutex);
  }
}
