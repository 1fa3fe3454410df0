#include "harness/stores/redis/topology.h"

#include <algorithm>

namespace holdfast::redis {

Topology topology_of(const ServersPlan& plan) {
  const std::string policy = plan.options.word(append_only_option);
  const auto at = std::ranges::find(append_only_words, policy);
  return {.servers = plan.servers,
          .replicas = plan.replicas,
          .append_only = static_cast<AppendOnly>(at - append_only_words.begin()),
          .replication_lag = plan.options.duration(replication_lag_option).resolve(plan.ttl)};
}

}  // namespace holdfast::redis
