// random: each question about a fault is answered yes as often as makes for most_faults a run, all else is
// drawn evenly. The baseline that the others have to beat.
#include <algorithm>

#include "harness/explore/strategies/seeded.h"
#include "harness/explore/strategies/strategies.h"

namespace holdfast {
namespace {

class RandomExplorer final : public SeededExplorer {
 public:
  RandomExplorer(std::uint64_t seed, const ExploreProbe& probe)
      : SeededExplorer(seed),
        odds_(std::max<std::uint64_t>(2, probe.fault_questions / std::max(1U, probe.most_faults))) {}

  bool begin(std::uint64_t number) override {
    begin_seeded(number);
    return true;
  }
  std::uint64_t pick(StreamId id, std::uint64_t options) override {
    return stream(id).question == Question::fault ? (drawn(id, odds_) == 0 ? 1 : 0) : drawn(id, options);
  }

 private:
  std::uint64_t odds_;
};

}  // namespace

std::unique_ptr<Explorer> make_random_explorer(std::uint64_t seed, const ExploreProbe& probe) {
  return std::make_unique<RandomExplorer>(seed, probe);
}

}  // namespace holdfast
