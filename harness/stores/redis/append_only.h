// What survives a crash of a redis-server process (redis.conf: appendonly, appendfsync).
#pragma once

#include <cstdint>

namespace holdfast::redis {

enum class AppendOnly : std::uint8_t {
  never,         // no AOF: a restart comes up empty
  every_second,  // what was fsynced at the last whole second of the server's clock
  always,        // every acknowledged write
};

}  // namespace holdfast::redis
