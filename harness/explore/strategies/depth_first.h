// All answers to some questions, one run each, depth first: what every-step and exhaustive have in common.
//
// Godefroid: "Model Checking for Programming Languages using VeriSoft", POPL 1997: no states are kept, a run
// is its choices, and the next run differs from the last in the latest choice that has an answer left.
#pragma once

#include <vector>

#include "harness/explore/strategies/seeded.h"

namespace holdfast {

class DepthFirstExplorer final : public SeededExplorer {
 public:
  DepthFirstExplorer(std::uint64_t seed, bool turns_everything)
      : SeededExplorer(seed), turns_everything_(turns_everything) {}

  bool begin(std::uint64_t number) override {
    begin_seeded(0);  // what is not turned is the same in every run
    depth_ = 0;
    return number == 0 || turn();
  }

  std::uint64_t pick(StreamId id, std::uint64_t options) override {
    const bool turns =
        turns_everything_ ? stream(id).name.name != "random" : stream(id).question == Question::fault;
    if (!turns) {
      return drawn(id, options);
    }
    if (depth_ == path_.size()) {
      path_.push_back({options, 0});
    }
    return path_[depth_++].picked;
  }

 private:
  struct Turn {
    std::uint64_t options = 0;
    std::uint64_t picked = 0;
  };

  // Takes the latest turning that was not taken every way. What comes after it is asked anew.
  bool turn() {
    while (!path_.empty() && path_.back().picked + 1 == path_.back().options) {
      path_.pop_back();
    }
    if (path_.empty()) {
      return false;
    }
    ++path_.back().picked;
    return true;
  }

  bool turns_everything_;
  std::vector<Turn> path_;
  std::size_t depth_ = 0;
};

}  // namespace holdfast
