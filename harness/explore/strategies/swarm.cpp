// swarm: each run leaves out about half of the kinds of faults, and prefers some of the rest.
//
// Groce, Zhang, Eide, Chen, Regehr: "Swarm Testing", ISSTA 2012. A run with everything in it rarely has
// several of one kind, and one kind can hide another (a crash ends what a pause would have broken); a run
// with few kinds goes deep. We deviate by giving the kinds that are left random weights too (1 to 8), as
// FoundationDB's simulator does with its knobs.
#include <algorithm>

#include "harness/explore/strategies/seeded.h"
#include "harness/explore/strategies/strategies.h"

namespace holdfast {
namespace {

class SwarmExplorer final : public SeededExplorer {
 public:
  SwarmExplorer(std::uint64_t seed, const ExploreProbe& probe)
      : SeededExplorer(seed),
        odds_(std::max<std::uint64_t>(2, probe.fault_questions / std::max(1U, probe.most_faults))),
        weights_(probe.menu) {}

  bool begin(std::uint64_t number) override {
    begin_seeded(number);
    std::uint64_t all = 0;
    for (std::uint64_t& weight : weights_) {
      weight = dice().one_in(2) ? 0 : std::uint64_t{1} << dice().below(4);
      all += weight;
    }
    if (all == 0 && !weights_.empty()) {
      weights_[dice().below(weights_.size())] = all = 1;
    }
    average_ = std::max<std::uint64_t>(1, all / std::max<std::size_t>(1, weights_.size()));
    defers_ = dice().one_in(2);
    return true;
  }

  bool always_zero(const StreamName& name) const override {
    return name.name == fault_stream && weights_[name.first] == 0;
  }

  std::uint64_t pick(StreamId id, std::uint64_t options) override {
    const Stream& asked = stream(id);
    switch (asked.question) {
      case Question::fault: {
        const std::uint64_t weight = weights_[asked.name.first];
        return weight > 0 && drawn(id, odds_ * average_) < weight ? 1 : 0;
      }
      case Question::defer:
        return defers_ ? drawn(id, options) : 0;
      case Question::other:
        break;
    }
    return drawn(id, options);
  }

 private:
  std::uint64_t odds_;
  std::uint64_t average_ = 1;
  std::vector<std::uint64_t> weights_;  // by entry of the menu
  bool defers_ = false;
};

}  // namespace

std::unique_ptr<Explorer> make_swarm_explorer(std::uint64_t seed, const ExploreProbe& probe) {
  return std::make_unique<SwarmExplorer>(seed, probe);
}

}  // namespace holdfast
