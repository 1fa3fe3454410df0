#include "locks/redis/unlock.h"
#include "locks/redis/client.h"

namespace holdfast {

Task<Released> unlock_by_del(Caller& me, std::string key) {
  const redis::Answer deleted = co_await redis::client(me).command("DEL", key);
  if (deleted.threw()) {
    co_return Released::unknown(deleted);
  }
  co_return Released::done();
}

Task<Released> unlock_by_compare_and_delete(Caller& me, std::string key, std::string request_id) {
  const redis::Answer deleted =
      co_await redis::client(me).command("EVAL", compare_and_delete_script, 1, key, request_id);
  if (deleted.threw()) {
    co_return Released::unknown(deleted);
  }
  if (!deleted.is(1)) {
    co_return Released::refused("the key does not hold my value");
  }
  co_return Released::done();
}

Task<Released> unlock_everywhere(Caller& me, std::string key, std::string request_id,
                                 std::optional<Duration> timeout) {
  bool any_deleted = false;
  std::string problem;
  for (std::size_t server = 0; server < me.servers(); ++server) {
    redis::Command script = redis::make_command("EVAL", compare_and_delete_script, 1, key, request_id);
    redis::Answer deleted;
    if (timeout) {
      deleted = co_await redis::client(me, server).execute_within(std::move(script), *timeout);
    } else {
      deleted = co_await redis::client(me, server).execute(std::move(script));
    }
    if (deleted.threw()) {
      problem = deleted.problem();
    }
    any_deleted = any_deleted || deleted.is(1);
  }
  if (any_deleted) {
    co_return Released::done();
  }
  if (!problem.empty()) {
    co_return Released::unknown(problem);
  }
  co_return Released::refused("no server's key holds my value");
}

}  // namespace holdfast
