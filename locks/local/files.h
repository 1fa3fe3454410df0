// The files of the host that whoever calls a lock runs on.
#pragma once

#include "harness/stores/local/client.h"
#include "locks/lock.h"

namespace holdfast::local {

inline Client& files(const Caller& me) {
  return me.stores.get<Client>(0);
}

}  // namespace holdfast::local
