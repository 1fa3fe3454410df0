#include "harness/kernel/random_strategy.h"

#include "harness/kernel/append.h"

namespace holdfast {

void RandomStrategy::open(StreamId, const StreamName& name) {
  const std::uint64_t numbers = (std::uint64_t{name.first} << 32) | name.second;
  append(states_, mix(seed_ ^ mix(hash_text(name.name) ^ mix(numbers + 1))));
}

}  // namespace holdfast
