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
  DepthFirstExplorer(std::uint64_t seed, bool tries_every_choice)
      : SeededExplorer(seed), tries_every_choice_(tries_every_choice) {}

  bool begin(std::uint64_t number) override {
    begin_seeded(0);  // choices that are not tried every way are the same in every run
    depth_ = 0;
    return number == 0 || go_to_next_path();
  }

  // The first choice of all: every run of one shape, then every run of the next.
  std::size_t pick_shape(std::size_t count) override {
    return count < 2 ? 0 : static_cast<std::size_t>(take_branch(count));
  }

  std::uint64_t pick(StreamId id, std::uint64_t options) override {
    const bool is_tried =
        tries_every_choice_ ? stream(id).name.name != "random" : stream(id).question == Question::fault;
    if (!is_tried) {
      return drawn(id, options);
    }
    return take_branch(options);
  }

 private:
  struct Branch {
    std::uint64_t options = 0;
    std::uint64_t picked = 0;
  };

  std::uint64_t take_branch(std::uint64_t options) {
    if (depth_ == path_.size()) {
      path_.push_back({options, 0});
    }
    return path_[depth_++].picked;
  }

  // At the latest choice that has an answer left, takes the next answer; what comes after it is asked anew.
  // False if no choice has one left.
  bool go_to_next_path() {
    while (!path_.empty() && path_.back().picked + 1 == path_.back().options) {
      path_.pop_back();
    }
    if (path_.empty()) {
      return false;
    }
    ++path_.back().picked;
    return true;
  }

  bool tries_every_choice_;
  std::vector<Branch> path_;
  std::size_t depth_ = 0;
};

}  // namespace holdfast
