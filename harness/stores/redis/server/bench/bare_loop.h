// What a real server on virtual time would reach if nothing but its commands took time: one after the other,
// the clock set before each.
#pragma once

#include <cstdint>

#include "harness/stores/redis/cluster.h"

namespace holdfast::redis {

// Commands a second.
double bare_commands_per_second(NodeMaker& servers, std::uint64_t commands);

}  // namespace holdfast::redis
