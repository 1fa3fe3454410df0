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
  explicit Connection(const std::string& socket);
  // To a server of ours, which must outlive it: when the connection breaks it is known why.
  explicit Connection(RedisServer& server);
  // To a server of somebody else's, who is given less time. Throws LiveError if it does not answer.
  Connection(const std::string& address, std::uint16_t port);

  // Throws LiveError if the connection breaks before the answer.
  redis::Reply execute(const redis::Command& command);
  void send(const redis::Command& command);
  // The next thing that the server says, an answer or a message of a channel.
  redis::Reply receive();

 private:
  Connection(redisContext* context, RedisServer* server, std::string complaint);
  [[noreturn]] void complain() const;

  std::unique_ptr<redisContext, decltype(&redisFree)> context_;
  RedisServer* server_;    // nullptr: not ours
  std::string complaint_;  // how it begins
};

}  // namespace holdfast::live
