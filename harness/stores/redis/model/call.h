// One command being carried out: what a handler is given.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/stores/redis/model/database.h"
#include "harness/stores/redis/model/errors.h"
#include "harness/stores/redis/model/numbers.h"
#include "harness/stores/redis/model/subscriptions.h"
#include "harness/stores/redis/reply.h"

namespace holdfast::redis {

class Server;
struct CommandInfo;

struct Call {
  Server& server;
  Database& database;
  const CommandInfo& info;
  ConnectionId connection;
  const Command& words;
  std::vector<Push>& pushes;
  bool may_block = false;  // not inside a transaction or a script
  bool blocks = false;     // set by a handler instead of answering: the answer comes later

  std::size_t size() const { return words.size(); }
  const std::string& word(std::size_t index) const { return words[index]; }
  const std::string& key() const { return words[1]; }
  std::optional<std::int64_t> integer(std::size_t index) const { return parse_integer(words[index]); }
};

using Handler = Reply (*)(Call& call);

// Options are matched without regard to case; `name` is in capitals.
inline bool is_option(std::string_view word, std::string_view name) {
  if (word.size() != name.size()) return false;
  for (std::size_t index = 0; index < word.size(); ++index) {
    const char letter = word[index];
    const char capital = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
    if (capital != name[index]) return false;
  }
  return true;
}

}  // namespace holdfast::redis
