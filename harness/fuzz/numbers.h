// Numbers for tests that throw dice: the same for the same seed, everywhere.
//
// The generator is splitmix64, as in harness/kernel/random_strategy.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace holdfast::fuzz {

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}

  // `bound` must not be 0.
  std::size_t below(std::size_t bound) {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t value = state_;
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
    return (value ^ (value >> 31U)) % bound;
  }

 private:
  std::uint64_t state_;
};

}  // namespace holdfast::fuzz
