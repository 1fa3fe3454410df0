// One connection to a redis-server, through hiredis, synchronous.
#pragma once

#include <hiredis/hiredis.h>

#include <memory>
#include <string>

#include "harness/stores/redis/command.h"
#include "harness/stores/redis/reply.h"

namespace holdfast::live {

class RedisServer;

redis::Reply to_reply(const redisReply& reply);

class Connection {
 public:
  // To a unix socket. Throws LiveError if nobody listens there.
  explicit Connection(const std::string& socket);
  // To a server of ours, which must outlive it: when the connection breaks it is known why.
  explicit Connection(RedisServer& server);

  // Throws LiveError if the connection breaks before the answer.
  redis::Reply execute(const redis::Command& command);
  void send(const redis::Command& command);
  // The next thing that the server says, an answer or a message of a channel.
  redis::Reply receive();

 private:
  Connection(RedisServer* server, std::string socket);
  [[noreturn]] void complain() const;

  RedisServer* server_;  // nullptr: not ours
  std::string socket_;
  std::unique_ptr<redisContext, decltype(&redisFree)> context_;
};

}  // namespace holdfast::live
