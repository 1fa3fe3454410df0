// For tests: what a scenario says of Redis servers, in the words of the model.
#pragma once

#include "harness/scenario/scenario.h"
#include "harness/stores/redis/topology.h"

namespace holdfast::redis {

inline void set_replicas(TopologySpec& topology, std::size_t replicas) {
  topology.set("redis", replicas_option, static_cast<std::int64_t>(replicas));
}

inline void set_append_only(TopologySpec& topology, AppendOnly policy) {
  topology.set("redis", append_only_option, std::string(append_only_words[static_cast<std::size_t>(policy)]));
}

}  // namespace holdfast::redis
