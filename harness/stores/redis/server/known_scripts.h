// Which scripts a real server seems to know at the start of a run: none, as a new one.
//
// To forget its scripts a server ends its Lua and starts another, which takes as long as dozens of commands,
// run after run. So it is put off until somebody could tell: a command that asks by a script's name (EVALSHA,
// SCRIPT), one that draws random numbers, or a transaction, which may hold any of them. Then the server
// forgets everything and is told the scripts of this run again.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/stores/redis/command.h"
#include "harness/stores/redis/reply.h"

namespace holdfast::live {

class KnownScripts {
 public:
  // A new run: the server should know no script.
  void begin_run();
  // The server is a new one and does know none.
  void forget() { *this = KnownScripts(); }

  // What the server must be told before this command; mostly nothing.
  std::vector<redis::Command> before(const redis::Command& command);
  // The command was answered.
  void answered(const redis::Command& command, const redis::Reply& reply);

 private:
  bool has_others_ = false;  // of earlier runs, beside those of this one
  bool has_any_ = false;     // since the server forgot all
  std::size_t runs_put_off_ = 0;
  std::vector<std::string> of_this_run_;  // their texts, while has_others_
};

}  // namespace holdfast::live
