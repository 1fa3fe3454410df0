// Makes a recorded history wrong, or at least different, without making it nonsense: every call still has one
// invoke and at most one return, and no client has two calls open.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/history/call.h"
#include "harness/kernel/random_strategy.h"

namespace holdfast::linear {

// A number below `options`, from the one stream of a generator.
inline std::uint32_t draw(RandomStrategy& random, std::uint64_t options) {
  return static_cast<std::uint32_t>(random.pick(StreamId{0}, options));
}

// Changes one thing, if what it picked at random can be changed.
void corrupt_once(std::vector<CallEvent>& events, RandomStrategy& random);

}  // namespace holdfast::linear
