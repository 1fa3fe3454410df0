// The server itself.
#include <limits>

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

Reply wait(Call& call) {
  if (call.server.is_replica()) return wait_on_replica();
  const std::optional<std::int64_t> wanted = call.integer(1);
  if (!wanted) return not_an_integer();
  const std::optional<std::int64_t> timeout_ms = call.integer(2);
  if (!timeout_ms) return Reply::error("ERR timeout is not an integer or out of range");
  if (*timeout_ms < 0) return Reply::error("ERR timeout is negative");
  ReplicaWaits& waits = call.server.waits();
  const std::int64_t offset = waits.offset_of(call.connection);
  const std::int64_t count = waits.acknowledged_count(offset);
  if (count >= *wanted || !call.may_block) return Reply::integer(count);
  const std::int64_t now_ms = call.database.now_us() / 1000;
  const bool ends = *timeout_ms > 0 && *timeout_ms <= std::numeric_limits<std::int64_t>::max() - now_ms;
  waits.block({call.connection, offset, *wanted, ends ? std::optional(now_ms + *timeout_ms) : std::nullopt});
  call.blocks = true;
  return {};
}

}  // namespace holdfast::redis::commands
