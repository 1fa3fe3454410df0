#include "locks/redis/redisson/synced.h"

#include <chrono>
#include <string>
#include <utility>

namespace holdfast::redisson {

namespace {

// slavesSyncTimeout; and how much longer the client waits for the server.
constexpr Duration replicas_timeout = 1s;
constexpr Duration reply_margin = 1s;

constexpr Duration least_pause = 1s;
constexpr std::uint64_t pause_jitter_ms = 1000;

Task<redis::Answer> wait(redis::Client& connection, std::int64_t replicas) {
  return connection.execute_within(redis::make_command("WAIT", replicas, to_milliseconds(replicas_timeout)),
                                   replicas_timeout + reply_margin);
}

}  // namespace

redis::Answer Synced::or_exception() && {
  if (is_written) {
    return std::move(answer);
  }
  return {CallError::none, redis::Reply::error(std::string(no_replica_has_it))};
}

Task<Synced> evaluate_synced(redis::Client& connection, redis::Command script) {
  redis::Answer answer = co_await connection.execute(std::move(script));
  if (answer.threw()) {
    co_return Synced{std::move(answer)};
  }
  const std::int64_t replicas = co_await connection.replicas();
  if (replicas == 0) {
    co_return Synced{std::move(answer)};
  }
  redis::Answer reached = co_await wait(connection, replicas);
  if (reached.threw()) {
    co_return Synced{std::move(reached)};
  }
  const bool is_written = reached.reply.number > 0;
  co_return Synced{std::move(answer), is_written};
}

Task<bool> wait_for_replicas(redis::Client& connection) {
  const std::int64_t replicas = co_await connection.replicas();
  if (replicas == 0) {
    co_return true;
  }
  const redis::Answer reached = co_await wait(connection, replicas);
  co_return !reached.threw() && reached.reply.number > 0;
}

Task<> pause_before_next_try(Env& env) {
  co_await env.sleep(least_pause + std::chrono::milliseconds(env.random(pause_jitter_ms + 1)));
}

}  // namespace holdfast::redisson
