// mutate: keeps the runs that came to something new, and changes them a little.
//
// Coverage-guided search as in Zalewski's AFL (2013), with the choices of a run in the place of an input and
// pairs of steps that followed each other in the place of branches. A run is kept as the answers that were
// "yes" (a fault, an overtaking) and the seed of the rest. We deviate by never trimming what is kept: runs
// are short, and shrinking is done on findings alone.
#include <algorithm>
#include <set>

#include "harness/explore/strategies/seeded.h"
#include "harness/explore/strategies/strategies.h"

namespace holdfast {
namespace {

// The nth question of a stream, answered with yes.
struct Yes {
  bool is_fault = false;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::uint32_t nth = 0;

  friend bool operator==(const Yes&, const Yes&) = default;
};

class MutateExplorer final : public SeededExplorer {
 public:
  MutateExplorer(std::uint64_t seed, const ExploreProbe& probe)
      : SeededExplorer(seed), most_faults_(std::max(1U, probe.most_faults)) {}

  bool begin(std::uint64_t number) override {
    begin_seeded(number);
    asked_.clear();
    if (kept_.empty()) {
      run_ = {number, {}};
    } else {
      // Those that were kept last have been built upon least.
      const std::size_t newest = kept_.size() - 1 - dice().below(std::min<std::size_t>(kept_.size(), 16));
      const Kept& parent = kept_[dice().one_in(2) ? newest : dice().below(kept_.size())];
      run_ = parent.run;
      const std::uint64_t changes = 1 + dice().below(3);
      for (std::uint64_t change = 0; change < changes; ++change) {
        mutate(parent.questions, number);
      }
    }
    random_of_run_.reset(mix(seed() ^ run_.seed));
    return true;
  }

  // What is built upon a run stays in its shape, as long as its seed does.
  std::size_t pick_shape(std::size_t count) override {
    return drawn_shape(mix(seed() ^ mix(run_.seed + 1)), count);
  }

  void open(StreamId id, const StreamName& name) override {
    SeededExplorer::open(id, name);
    random_of_run_.open(id, name);
    if (counts_.size() <= static_cast<std::size_t>(id)) {
      counts_.resize(static_cast<std::size_t>(id) + 1);
    }
    counts_[static_cast<std::size_t>(id)] = 0;
  }

  std::uint64_t pick(StreamId id, std::uint64_t options) override {
    const Stream& stream_asked = stream(id);
    if (stream_asked.question == Question::other) {
      return random_of_run_.pick(id, options);
    }
    const Yes question{stream_asked.question == Question::fault, stream_asked.name.first,
                       stream_asked.name.second, counts_[static_cast<std::size_t>(id)]++};
    asked_.push_back(question);
    return std::ranges::count(run_.answers, question) > 0 ? 1 : 0;
  }

  void end(const RunReport&, const Choices&, const std::vector<std::uint32_t>& coverage) override {
    bool is_new = false;
    for (const std::uint32_t seen : coverage) {
      is_new = covered_.insert(seen).second || is_new;
    }
    if (is_new || kept_.empty()) {
      kept_.push_back({run_, asked_});
      if (kept_.size() > most_kept) {
        kept_.erase(kept_.begin());
      }
    }
  }

  bool wants_coverage() const override { return true; }

 private:
  static constexpr std::size_t most_kept = 500;  // memory stays flat

  struct Run {
    std::uint64_t seed = 0;
    std::vector<Yes> answers;
  };
  struct Kept {
    Run run;
    std::vector<Yes> questions;
  };

  void mutate(const std::vector<Yes>& questions, std::uint64_t number) {
    std::vector<Yes>& answers = run_.answers;
    switch (dice().below(5)) {
      case 0:
        run_.seed = number;
        break;
      case 1:
        if (!answers.empty()) {
          answers.erase(answers.begin() + static_cast<std::ptrdiff_t>(dice().below(answers.size())));
        }
        break;
      case 2:
        if (!answers.empty()) {  // a little earlier or later
          Yes& moved = answers[dice().below(answers.size())];
          const auto by = static_cast<std::uint32_t>(1 + dice().below(3));
          moved.nth = dice().one_in(2) ? moved.nth + by : moved.nth - std::min(by, moved.nth);
        }
        break;
      default:
        if (!questions.empty()) {
          answers.push_back(questions[dice().below(questions.size())]);
          // The injector stops at most_faults anyway; more of them would only be carried along.
          if (answers.size() > most_faults_ + std::size_t{4}) {
            answers.erase(answers.begin());
          }
        }
    }
  }

  std::uint32_t most_faults_;
  Run run_;
  RandomStrategy random_of_run_;
  std::vector<std::uint32_t> counts_;  // by stream
  std::vector<Yes> asked_;
  std::vector<Kept> kept_;
  std::set<std::uint32_t> covered_;
};

}  // namespace

std::unique_ptr<Explorer> make_mutate_explorer(std::uint64_t seed, const ExploreProbe& probe) {
  return std::make_unique<MutateExplorer>(seed, probe);
}

}  // namespace holdfast
