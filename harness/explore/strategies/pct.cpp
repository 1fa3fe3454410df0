// pct: processes have priorities, and lose them at a few chosen moments.
//
// Burckhardt, Kothari, Musuvathi, Nagarakatte: "A Randomized Scheduler with Probabilistic Guarantees of
// Finding Bugs", ASPLOS 2010. With n processes, k steps and d - 1 moments chosen evenly, a bug that needs d
// orderings is found by one run with probability at least 1 / (n k^(d-1)). Here a step is a question and the
// order is that of messages: who has a low priority sends slowly and is overtaken by who has a higher one.
// Where we deviate: time is virtual but real (a lease ends whatever the priorities say), so priorities order
// messages that compete and nothing else, and the guarantee holds for the orders of competing messages only.
// Faults strike at chosen moments too, drawn evenly over all questions about faults.
#include <algorithm>
#include <numeric>

#include "harness/explore/strategies/seeded.h"
#include "harness/explore/strategies/strategies.h"

namespace holdfast {
namespace {

constexpr std::size_t change_points = 2;  // d = 3

class PctExplorer final : public SeededExplorer {
 public:
  PctExplorer(std::uint64_t seed, const ExploreProbe& probe)
      : SeededExplorer(seed), probe_(probe), ranks_(std::max<std::size_t>(2, probe.processes)) {}

  bool begin(std::uint64_t number) override {
    begin_seeded(number);
    std::iota(ranks_.begin(), ranks_.end(), std::size_t{0});
    for (std::size_t index = ranks_.size(); index > 1; --index) {
      std::swap(ranks_[index - 1], ranks_[dice().below(index)]);
    }
    changes_.clear();
    for (std::size_t change = 0; change < change_points; ++change) {
      changes_.push_back(dice().below(std::max<std::uint64_t>(1, probe_.questions)));
    }
    strikes_.clear();
    const std::uint64_t faults = 1 + dice().below(std::max(1U, probe_.most_faults));
    for (std::uint64_t fault = 0; fault < faults; ++fault) {
      strikes_.push_back(dice().below(std::max<std::uint64_t>(1, probe_.fault_questions)));
    }
    lowest_ = ranks_.size();
    questions_ = 0;
    fault_questions_ = 0;
    return true;
  }

  std::uint64_t pick(StreamId id, std::uint64_t options) override {
    const Stream& asked = stream(id);
    if (asked.question == Question::fault) {
      return std::ranges::count(strikes_, fault_questions_++) > 0 ? 1 : 0;
    }
    std::size_t& rank = ranks_[asked.name.first % ranks_.size()];
    if (std::ranges::count(changes_, questions_++) > 0) {
      rank = lowest_++;
    }
    if (asked.question == Question::defer) {
      return rank > ranks_[asked.name.second % ranks_.size()] ? 1 : 0;
    }
    if (asked.name.name == "latency") {
      return std::min<std::uint64_t>(options - 1, rank * options / ranks_.size());
    }
    return drawn(id, options);
  }

 private:
  ExploreProbe probe_;
  std::vector<std::size_t> ranks_;  // by process; 0 goes first
  std::size_t lowest_ = 0;
  std::vector<std::uint64_t> changes_;
  std::vector<std::uint64_t> strikes_;
  std::uint64_t questions_ = 0;
  std::uint64_t fault_questions_ = 0;
};

}  // namespace

std::unique_ptr<Explorer> make_pct_explorer(std::uint64_t seed, const ExploreProbe& probe) {
  return std::make_unique<PctExplorer>(seed, probe);
}

}  // namespace holdfast
