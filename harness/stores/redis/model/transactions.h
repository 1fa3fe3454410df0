// MULTI: the commands each connection has queued for its EXEC.
#pragma once

#include <map>
#include <vector>

#include "harness/kernel/process.h"
#include "harness/stores/redis/command.h"

namespace holdfast::redis {

struct Transaction {
  std::vector<Command> queue;
  bool refused = false;  // a command was refused while queuing: EXEC will abort
};

class Transactions {
 public:
  // Null when the connection is not inside MULTI.
  Transaction* find(ConnectionId connection) {
    if (open_.empty()) return nullptr;
    const auto place = open_.find(connection);
    return place == open_.end() ? nullptr : &place->second;
  }
  void begin(ConnectionId connection) { open_.try_emplace(connection); }
  void end(ConnectionId connection) { open_.erase(connection); }
  void clear() { open_.clear(); }

 private:
  std::map<ConnectionId, Transaction> open_;
};

}  // namespace holdfast::redis
