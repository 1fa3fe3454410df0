// MULTI, EXEC, DISCARD, WATCH, UNWATCH.
#include <algorithm>

#include "harness/stores/redis/model/command_table.h"
#include "harness/stores/redis/model/commands.h"
#include "harness/stores/redis/model/server.h"

namespace holdfast::redis::commands {
namespace {

bool has_write(const Transaction& transaction) {
  return std::ranges::any_of(transaction.queue, [](const Command& words) {
    return find_command(words.front())->has(CommandFlag::write);
  });
}

}  // namespace

Reply multi(Call& call) {
  if (call.server.transactions().find(call.connection) != nullptr) {
    return Reply::error("ERR MULTI calls can not be nested");
  }
  call.server.transactions().begin(call.connection);
  return Reply::ok();
}

Reply exec(Call& call) {
  Transaction* const open = call.server.transactions().find(call.connection);
  if (open == nullptr) return Reply::error("ERR EXEC without MULTI");
  // A primary can have become a replica since the commands were queued.
  if (call.server.is_replica() && has_write(*open)) {
    return abort_exec(call.server, call.connection, read_only_replica());
  }
  const Transaction transaction = std::move(*open);
  call.server.transactions().end(call.connection);

  // A look at each watched key, so that one that expired meanwhile counts as changed.
  WatchList& watches = call.database.watches();
  for (const std::string& key : watches.keys(call.connection)) call.database.find(key);
  const bool changed = watches.any_changed(call.connection);
  watches.remove(call.connection);
  if (transaction.refused) {
    return Reply::error("EXECABORT Transaction discarded because of previous errors.");
  }
  if (changed) return Reply::nil();
  std::vector<Reply> replies;
  replies.reserve(transaction.queue.size());
  for (const Command& words : transaction.queue) {
    replies.push_back(call.server.run(*find_command(words.front()), call.connection, words, call.pushes));
  }
  return Reply::array(std::move(replies));
}

Reply abort_exec(Server& server, ConnectionId connection, const Reply& error) {
  server.transactions().end(connection);
  server.database().watches().remove(connection);
  std::string_view reason = error.text;
  if (reason.starts_with("ERR ")) reason.remove_prefix(4);
  return Reply::error("EXECABORT Transaction discarded because of: " + std::string(reason));
}

Reply discard(Call& call) {
  if (call.server.transactions().find(call.connection) == nullptr) {
    return Reply::error("ERR DISCARD without MULTI");
  }
  call.server.transactions().end(call.connection);
  call.database.watches().remove(call.connection);
  return Reply::ok();
}

Reply watch(Call& call) {
  if (call.server.transactions().find(call.connection) != nullptr) {
    return Reply::error("ERR WATCH inside MULTI is not allowed");
  }
  for (std::size_t index = 1; index < call.size(); ++index) {
    call.database.find(call.word(index));
    call.database.watches().add(call.connection, call.word(index));
  }
  return Reply::ok();
}

Reply unwatch(Call& call) {
  call.database.watches().remove(call.connection);
  return Reply::ok();
}

}  // namespace holdfast::redis::commands
