#include "harness/kernel/random_strategy.h"

#include "harness/kernel/fingerprint.h"

namespace holdfast {
namespace {

__extension__ using WideUnsigned = unsigned __int128;

}  // namespace

void RandomStrategy::open(StreamId, const StreamName& name) {
  const std::uint64_t numbers = (std::uint64_t{name.first} << 32) | name.second;
  states_.push_back(mix(seed_ ^ mix(hash_text(name.name) ^ mix(numbers + 1))));
}

std::uint64_t RandomStrategy::pick(StreamId id, std::uint64_t options) {
  std::uint64_t& state = states_[static_cast<std::size_t>(id)];
  state += 0x9e3779b97f4a7c15ULL;
  return static_cast<std::uint64_t>((WideUnsigned(mix(state)) * options) >> 64);
}

}  // namespace holdfast
