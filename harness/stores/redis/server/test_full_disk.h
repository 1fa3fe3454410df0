// For tests: a redis-server whose append-only file cannot grow any more, as on a full disk.
//
// The operating system refuses to let any file of the server become larger than that one is: unlike a full
// file system this takes no privilege. The server says "File too large" where it would say "No space left on
// device", and does the same.
#pragma once

#include <signal.h>
#include <sys/resource.h>

#include <filesystem>
#include <string>

#include "harness/machine/process/test_place.h"
#include "harness/stores/redis/command.h"
#include "harness/stores/redis/server/test_password.h"

namespace holdfast::live {

// While it lives, programs that are started are not killed for a file that is too large, but told.
class FileSizeSignalIgnored {
 public:
  FileSizeSignalIgnored() : before_(signal(SIGXFSZ, SIG_IGN)) {}
  FileSizeSignalIgnored(const FileSizeSignalIgnored&) = delete;
  FileSizeSignalIgnored& operator=(const FileSizeSignalIgnored&) = delete;
  ~FileSizeSignalIgnored() { signal(SIGXFSZ, before_); }

 private:
  sighandler_t before_;
};

inline bool info_says(const std::string& socket, const std::string& words) {
  return ask_by_socket(socket, redis::make_command("INFO", "persistence")).text.find(words) !=
         std::string::npos;
}

// Of the one server in the place. False: something was not as it should be.
inline bool fill_the_disk(const TestPlace& place) {
  const std::string socket = place.find("redis.sock").string();
  const std::filesystem::path file = place.find("appendonly.aof.1.incr.aof");
  const std::vector<pid_t> servers = place.processes_called("redis-server");
  if (socket.empty() || file.empty() || servers.size() != 1) {
    return false;
  }
  // Larger than its log, which is to say what is wrong.
  constexpr std::size_t larger_than_a_log = 200'000;
  ask_by_socket(socket, redis::make_command("SET", "pad", std::string(larger_than_a_log, 'x')));
  if (!TestPlace::becomes_true([&] {
        return std::filesystem::file_size(file) > larger_than_a_log &&
               info_says(socket, "aof_pending_bio_fsync:0") && info_says(socket, "aof_buffer_length:0");
      })) {
    return false;
  }
  const std::uintmax_t size = std::filesystem::file_size(file);
  const rlimit no_larger{size, size};
  return prlimit(servers.front(), RLIMIT_FSIZE, &no_larger, nullptr) == 0;
}

}  // namespace holdfast::live
