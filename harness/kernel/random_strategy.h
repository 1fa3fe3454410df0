// Answers every choice from a seed: one generator a stream, so streams do not disturb each other.
//
// The generator is splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
// OOPSLA 2014), seeded from the run's seed and the stream's name. A draw is reduced to its range by
// multiplication instead of rejection: the bias is below 2^-32 for the ranges used here, and one draw
// is always exactly one step of the generator.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/kernel/choices.h"
#include "harness/kernel/fingerprint.h"

namespace holdfast {

class RandomStrategy final : public Strategy {
 public:
  void reset(std::uint64_t seed) {
    seed_ = seed;
    states_.clear();
  }
  void open(StreamId id, const StreamName& name) override;
  std::uint64_t pick(StreamId id, std::uint64_t options) override {
    __extension__ using WideUnsigned = unsigned __int128;
    std::uint64_t& state = states_[static_cast<std::size_t>(id)];
    state += 0x9e3779b97f4a7c15ULL;
    return static_cast<std::uint64_t>((WideUnsigned(mix(state)) * options) >> 64);
  }

 private:
  std::uint64_t seed_ = 0;
  std::vector<std::uint64_t> states_;
};

}  // namespace holdfast
