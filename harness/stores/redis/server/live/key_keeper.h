// Sees to it that nothing of a run stays on servers of the user's, however the run ends.
//
// A process of its own, which outlives the run by a moment: it is told of every key that a client names,
// gives a time to live to those that have none some milliseconds after they are written, and deletes them all
// when the run is over, be it well, by Ctrl-C or by SIGKILL. Keys that only a script named are looked for by
// the run's mark; where the server forbids to look, it says on standard error what may stay.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace holdfast::live {

struct KeyKeeperSetup {
  std::vector<std::string> endpoints;  // "127.0.0.1:6379", as they were resolved
  std::string password;
  std::string mark;
};

class KeyKeeper {
 public:
  // By a thread of a program that has no other: the process is a fork of it.
  // Throws LiveError if it cannot be started.
  explicit KeyKeeper(const KeyKeeperSetup& setup);
  KeyKeeper(const KeyKeeper&) = delete;
  KeyKeeper& operator=(const KeyKeeper&) = delete;
  // Waits until the keys are gone, for some seconds at the longest.
  ~KeyKeeper();

  // A word of a command that passed: a key if it has the mark.
  void note(const std::string& word);

 private:
  void tell(const std::string& line);

  std::string mark_;
  std::map<std::string, std::chrono::steady_clock::time_point> noted_;  // when it was told of last
  pid_t process_ = -1;
  int socket_ = -1;
};

}  // namespace holdfast::live
