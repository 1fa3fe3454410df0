// One connection to a redis-server, through hiredis, synchronous.
#pragma once

#include <hiredis/hiredis.h>

#include <cstdint>
#include <memory>
#include <string>

#include "harness/stores/redis/command.h"
#include "harness/stores/redis/reply.h"

namespace holdfast::live {

class RedisServer;

class Connection {
 public:
  // To a unix socket. Throws LiveError if nobody listens there.
  explicit Connection(const std::string& socket, const std::string& password = {});
  // To a server of ours, which must outlive it: when the connection breaks it is known why. One that does not
  // answer in time is ended, so that nobody waits for it again.
  explicit Connection(RedisServer& server);
  // To a server of somebody else's, who is given less time. Throws LiveError if it does not answer.
  Connection(const std::string& address, std::uint16_t port);

  // Throws LiveError if the connection breaks before the answer, if that does not come in time, or is longer
  // than any that we ask for.
  redis::Reply execute(const redis::Command& command);
  void send(const redis::Command& command);
  // As a new connection.
  void reset();
  // The next thing that the server says, an answer or a message of a channel.
  redis::Reply receive();
  // Whether something of it has come already. What was sent is on its way by then.
  bool has_received();

 private:
  Connection(redisContext* context, RedisServer* server, std::string complaint, int patience_seconds);
  void log_in(std::string password);
  [[noreturn]] void complain() const;
  bool has_run_out_of_time() const;
  void write_all();

  std::unique_ptr<redisContext, decltype(&redisFree)> context_;
  RedisServer* server_;    // nullptr: not ours
  std::string complaint_;  // how it begins
  int patience_seconds_;   // with one answer, however slowly it comes
  std::string password_;
  std::string asked_;  // the last command's name
};

}  // namespace holdfast::live
