// What most strategies share: streams remembered by name, and every answer that they do not care about drawn
// from a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/explore/strategies/explorer.h"
#include "harness/kernel/append.h"
#include "harness/kernel/fingerprint.h"
#include "harness/kernel/random_strategy.h"

namespace holdfast {

// Of numbers below 2^63: one draw, and the next state.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(mix(seed)) {}
  std::uint64_t below(std::uint64_t bound) {
    state_ += 0x9e3779b97f4a7c15ULL;
    return bound == 0 ? 0 : mix(state_) % bound;  // small bounds: the bias does not matter here
  }
  bool one_in(std::uint64_t odds) { return below(odds) == 0; }

 private:
  std::uint64_t state_;
};

// Half of the runs stay as they are; the other half are shared out among the other shapes. By a draw of its
// own, so that plain runs are what they are without any shapes.
inline std::size_t drawn_shape(std::uint64_t seed, std::size_t count) {
  Dice dice(seed ^ 0x5ba9e5);
  return count < 2 || dice.one_in(2) ? 0 : 1 + static_cast<std::size_t>(dice.below(count - 1));
}

enum class Question : std::uint8_t { fault, defer, other };

class SeededExplorer : public Explorer {
 public:
  explicit SeededExplorer(std::uint64_t seed) : seed_(seed), dice_(seed) {}

  void open(StreamId id, const StreamName& name) override {
    append(streams_, {name.name == fault_stream ? Question::fault
                      : name.name == "defer"    ? Question::defer
                                                : Question::other,
                      name});
    random_.open(id, name);
  }
  std::size_t pick_shape(std::size_t count) override { return drawn_shape(run_seed_, count); }

 protected:
  struct Stream {
    Question question = Question::other;
    StreamName name;
  };

  void begin_seeded(std::uint64_t number) {
    run_seed_ = mix(seed_ ^ mix(number + 1));
    streams_.clear();
    random_.reset(run_seed_);
    dice_ = Dice(run_seed_);
  }
  const Stream& stream(StreamId id) const { return streams_[static_cast<std::size_t>(id)]; }
  std::uint64_t drawn(StreamId id, std::uint64_t options) { return random_.pick(id, options); }
  Dice& dice() { return dice_; }
  std::uint64_t seed() const { return seed_; }

 private:
  std::uint64_t seed_;
  std::uint64_t run_seed_ = 0;
  RandomStrategy random_;
  Dice dice_;
  std::vector<Stream> streams_;
};

}  // namespace holdfast
