// Sees to it that nothing of a run stays on servers of the user's, however the run ends.
//
// A process of its own, which outlives the run by a moment: it is told of every key that a client names,
// gives a time to live to those that have none, and deletes them all when the run is over, be it well, by
// Ctrl-C or by SIGKILL. Keys that only a script named are looked for by the run's mark; where the server
// forbids to look, it says on standard error what may stay.
#pragma once

#include <sys/types.h>

#include <set>
#include <string>
#include <vector>

namespace holdfast::live {

struct KeyKeeperSetup {
  std::vector<std::string> endpoints;  // "127.0.0.1:6379", as they were resolved
  std::string password;
  std::string mark;
  std::string own_program = "/proc/self/exe";  // holdfast; in a test that is another file
};

class KeyKeeper {
 public:
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
  std::set<std::string> noted_;
  pid_t process_ = -1;
  int pipe_ = -1;
};

// The word that makes holdfast one of these.
inline constexpr const char* key_keeper_word = "live-key-keeper";
// What that process does: reads its setup and the keys from standard input. Returns its exit code.
int run_key_keeper();

}  // namespace holdfast::live
