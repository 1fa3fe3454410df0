// The Redis of whoever calls a lock.
#pragma once

#include "harness/stores/redis/client.h"
#include "locks/lock.h"

namespace holdfast::redis {

inline Client& client(const Caller& me, std::size_t server = 0) {
  return me.stores.get<Client>(server);
}

}  // namespace holdfast::redis
