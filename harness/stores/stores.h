// The clients of all stores that one thread may use. What a scenario's topology lacks is absent.
#pragma once

#include <vector>

#include "harness/stores/files/client.h"
#include "harness/stores/redis/client.h"

namespace holdfast {

struct Stores {
  std::vector<redis::Client*> redis;  // one per independent server (or primary with replicas)
  files::Client* files = nullptr;
};

}  // namespace holdfast
