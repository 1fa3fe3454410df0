// The error replies that several commands share, worded as redis-server 7.0.15 words them.
#pragma once

#include <string>
#include <string_view>

#include "harness/stores/redis/reply.h"

namespace holdfast::redis {

inline Reply wrong_type() {
  return Reply::error("WRONGTYPE Operation against a key holding the wrong kind of value");
}
inline Reply syntax_error() {
  return Reply::error("ERR syntax error");
}
inline Reply not_an_integer() {
  return Reply::error("ERR value is not an integer or out of range");
}
inline Reply not_a_float() {
  return Reply::error("ERR value is not a valid float");
}
inline Reply would_overflow() {
  return Reply::error("ERR increment or decrement would overflow");
}
inline Reply invalid_expire_time(std::string_view command_name) {
  return Reply::error("ERR invalid expire time in '" + std::string(command_name) + "' command");
}
inline Reply wrong_arity(std::string_view command_name) {
  return Reply::error("ERR wrong number of arguments for '" + std::string(command_name) + "' command");
}
inline Reply read_only_replica() {
  return Reply::error("READONLY You can't write against a read only replica.");
}
inline Reply wait_on_replica() {
  return Reply::error(
      "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica is "
      "configured to be writable (which is not the default) writes to replicas are just local and are not "
      "propagated.");
}

}  // namespace holdfast::redis
