// What locks on Redis need of it.
#pragma once

#include "harness/stores/redis/client.h"
#include "locks/catalog.h"

namespace holdfast {

constexpr LockNeeds redis_servers(std::size_t servers, std::size_t replicas = 0, Duration least_ttl = 0s) {
  return {.store = redis::Client::store_id, .servers = servers, .replicas = replicas, .least_ttl = least_ttl};
}
inline constexpr LockNeeds one_redis_server = redis_servers(1);

}  // namespace holdfast
