// The server itself.
#include "harness/stores/redis/model/command_table.h"
#include "harness/stores/redis/model/commands.h"
#include "harness/stores/redis/model/server.h"

namespace holdfast::redis::commands {

Reply ping(Call& call) {
  if (call.size() > 2) return wrong_arity(call.info.name);
  if (call.server.subscriptions().count(call.connection) > 0) {
    return Reply::array({Reply::bulk("pong"), Reply::bulk(call.size() == 2 ? call.word(1) : "")});
  }
  return call.size() == 2 ? Reply::bulk(call.word(1)) : Reply::status("PONG");
}

Reply echo(Call& call) {
  return Reply::bulk(call.word(1));
}

Reply time(Call& call) {
  const std::int64_t now_us = call.database.now_us();
  return Reply::array(
      {Reply::bulk(std::to_string(now_us / 1'000'000)), Reply::bulk(std::to_string(now_us % 1'000'000))});
}

// The model has one database: a lock that hides in another would not meet its rivals.
Reply select(Call& call) {
  const std::optional<std::int64_t> database = call.integer(1);
  if (!database) return not_an_integer();
  return *database == 0 ? Reply::ok() : Reply::error("ERR DB index is out of range");
}

// Only the caller of the model knows the replication links and can wait: a server alone has none.
Reply wait(Call& call) {
  if (!call.integer(1)) return not_an_integer();
  const std::optional<std::int64_t> timeout_ms = call.integer(2);
  if (!timeout_ms) return Reply::error("ERR timeout is not an integer or out of range");
  return *timeout_ms < 0 ? Reply::error("ERR timeout is negative") : Reply::integer(0);
}

}  // namespace holdfast::redis::commands
