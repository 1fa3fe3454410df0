#include "harness/explore/campaign.h"

#include <algorithm>
#include <bitset>
#include <set>
#include <tuple>
#include <utility>

#include "harness/kernel/fingerprint.h"
#include "harness/kernel/require.h"
#include "harness/run/plan.h"

namespace holdfast {
namespace {

constexpr std::ptrdiff_t most_of_a_letter = 6;  // memory stays flat

// Which pairs of steps followed each other, as numbers below 2^14.
class StepPairs final : public StepObserver {
 public:
  void reset() {
    seen_.reset();
    last_ = 0;
  }
  void on_step(const Step& step) override {
    const std::uint64_t here = mix(hash_text(step.name) ^ (static_cast<std::uint64_t>(step.phase) << 8) ^
                                   (static_cast<std::uint64_t>(step.client) << 16));
    seen_.set((here ^ (last_ >> 1)) % seen_.size());
    last_ = here;
  }
  std::vector<std::uint32_t> numbers() const {
    std::vector<std::uint32_t> result;
    for (std::size_t index = seen_._Find_first(); index < seen_.size(); index = seen_._Find_next(index)) {
      result.push_back(static_cast<std::uint32_t>(index));
    }
    return result;
  }

 private:
  std::bitset<1 << 14> seen_;
  std::uint64_t last_ = 0;
};

ExploreFinding finding_of(const Simulation& simulation, const ExploreTarget& target, const RunReport& report,
                          std::uint64_t run, const Scenario& scenario) {
  ExploreFinding finding;
  finding.shape = scenario.shape;
  finding.letter = report.letter;
  finding.shows_its_letter = report.shows_its_letter;
  finding.run = run;
  finding.faults = as_planned(target, simulation.injected(), simulation.kernel());
  const Choices& choices = simulation.choices();
  for (const Choice& choice : choices.log()) {
    const StreamName& name = choices.name(choice.stream);
    if (name.name == fault_stream) {
      continue;
    }
    finding.reordered = finding.reordered || (name.name == "defer" && choice.picked == 1);
    finding.choices.push_back(
        {std::string(name.name), name.first, name.second, choice.options, choice.picked});
  }
  return finding;
}

// A number for the letter, whether it is shown, and the entries of the menu that struck, in any order.
std::uint64_t kind_of(const RunReport& report, const std::vector<InjectedFault>& injected) {
  std::uint64_t sum = 0;
  for (const InjectedFault& each : injected) {
    sum += mix(each.entry + 1);
  }
  return mix(sum ^ (static_cast<std::uint64_t>(report.letter) * 2 + (report.shows_its_letter ? 1 : 0)));
}

bool is_same_kind(const ExploreFinding& one, const ExploreFinding& other) {
  return one.letter == other.letter && one.shows_its_letter == other.shows_its_letter &&
         one.kinds() == other.kinds();
}

// Worse letters first; of the same, those that show it, for one of them will be told; of these, fewer faults.
auto rank_of(const ExploreFinding& finding) {
  return std::tuple(-static_cast<int>(finding.letter), !finding.shows_its_letter, finding.faults.size());
}

void keep(std::vector<ExploreFinding>& findings, ExploreFinding finding) {
  if (std::ranges::any_of(findings, [&](const auto& each) { return is_same_kind(each, finding); })) {
    return;
  }
  const auto group_of = [](const ExploreFinding& each) {
    return std::pair(-static_cast<int>(each.letter), !each.shows_its_letter);
  };
  const auto group = group_of(finding);
  findings.push_back(std::move(finding));
  std::ranges::stable_sort(findings, {}, rank_of);
  const auto [first, last] = std::ranges::equal_range(findings, group, {}, group_of);
  if (last - first > most_of_a_letter) {
    findings.erase(last - 1);
  }
}

// Of the run that is made just now; before the first of them, of that one: it is looked into in the same way.
class PieceReplay final : public Replay {
 public:
  explicit PieceReplay(const PieceRequest& request) : request_(request), run_(request.first) {}
  void is_at(std::uint64_t run) { run_ = run; }
  std::string command() const override { return request_.command ? request_.command(run_) : std::string(); }

 private:
  const PieceRequest& request_;
  std::uint64_t run_;
};

// The runs of a request, one after another.
class PieceRuns {
 public:
  PieceRuns(Simulation& simulation, const PieceRequest& request)
      : replay_(request),
        scope_(replay_),
        simulation_(simulation),
        target_(*request.target),
        explorer_(request.explorer->make(request.seed, probe(simulation, *request.target, request.seed))),
        run_{.scenario = &request.target->scenario,
             .lock = request.target->lock,
             .seed = request.seed,
             .placement = std::nullopt,
             .step_observer = explorer_->wants_coverage() ? &pairs_ : nullptr,
             .strategy = explorer_.get(),
             .scope = &request.target->scope} {
    for (std::size_t shape = 0; shape < target_.shape_count(); ++shape) {
      plans_.push_back(make_plan(target_.in_shape(shape), *target_.lock));
    }
  }
  PieceRuns(const PieceRuns&) = delete;
  PieceRuns& operator=(const PieceRuns&) = delete;
  ~PieceRuns() = default;

  // None if the strategy has no such run.
  std::optional<RunReport> make(std::uint64_t number) {
    replay_.is_at(number);
    if (!explorer_->begin(number)) {
      return std::nullopt;
    }
    const std::size_t shape = explorer_->pick_shape(target_.shape_count());
    require(shape < target_.shape_count(), "a strategy chooses a shape that there is");
    run_.scenario = &target_.in_shape(shape);
    run_.plan = &plans_[shape];
    if (run_.step_observer != nullptr) {
      pairs_.reset();
    }
    RunReport report = simulation_.run(run_);
    if (explorer_->wants_coverage()) {
      explorer_->end(report, simulation_.choices(), pairs_.numbers());
    }
    return report;
  }

  // Of the last one.
  const Scenario& scenario() const { return *run_.scenario; }

 private:
  PieceReplay replay_;
  ReplayScope scope_;
  Simulation& simulation_;
  const ExploreTarget& target_;
  std::vector<RunPlan> plans_;  // by shape
  std::unique_ptr<Explorer> explorer_;
  StepPairs pairs_;
  RunRequest run_;
};

}  // namespace

std::string kinds_text(const std::vector<FaultSpec>& faults, std::string_view between) {
  std::vector<std::string> ids;
  ids.reserve(faults.size());
  for (const FaultSpec& fault : faults) {
    ids.push_back(fault.fault);
  }
  std::ranges::sort(ids);
  std::string text;
  for (const std::string& id : ids) {
    text += text.empty() ? "" : between;
    text += id;
  }
  return text;
}

std::string ExploreFinding::kinds() const {
  return kinds_text(faults, ", ");
}

PieceResult explore_piece(Simulation& simulation, const PieceRequest& request) {
  PieceRuns runs(simulation, request);
  PieceResult result;
  std::set<std::uint64_t> known;
  for (std::uint64_t number = request.first; number < request.first + request.count; ++number) {
    if (request.is_time_up && request.is_time_up()) {
      return result;
    }
    const std::optional<RunReport> report = runs.make(number);
    if (!report) {
      result.has_every_run = true;
      return result;
    }
    const Letter letter = report->letter;
    ++result.runs;
    ++result.runs_by_letter[static_cast<std::size_t>(letter)];
    result.marks |= report->marks;
    if (letter != Letter::safe && known.insert(kind_of(*report, simulation.injected())).second) {
      keep(result.findings, finding_of(simulation, *request.target, *report, number, runs.scenario()));
      if (request.stop_at_first && letter >= request.stop_at) {
        return result;
      }
    }
  }
  return result;
}

std::optional<ExploreFinding> explore_run(Simulation& simulation, const PieceRequest& request,
                                          std::uint64_t number) {
  PieceRuns runs(simulation, request);
  for (std::uint64_t each = request.explorer->learns ? 0 : number; each < number; ++each) {
    if (!runs.make(each)) {
      return std::nullopt;
    }
  }
  const std::optional<RunReport> report = runs.make(number);
  return report ? std::optional(finding_of(simulation, *request.target, *report, number, runs.scenario()))
                : std::nullopt;
}

void add(PieceResult& result, PieceResult other) {
  result.runs += other.runs;
  for (std::size_t letter = 0; letter < result.runs_by_letter.size(); ++letter) {
    result.runs_by_letter[letter] += other.runs_by_letter[letter];
  }
  result.marks |= other.marks;
  result.has_every_run = result.has_every_run || other.has_every_run;
  for (ExploreFinding& finding : other.findings) {
    keep(result.findings, std::move(finding));
  }
}

void PieceSum::take(std::uint64_t place, PieceResult result) {
  waiting_.emplace(place, std::move(result));
  for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; ++next_) {
    add(sum_, std::move(first->second));
    first = waiting_.erase(first);
  }
}

PieceResult PieceSum::finish() {
  for (auto& [place, result] : waiting_) {
    add(sum_, std::move(result));
  }
  waiting_.clear();
  return std::move(sum_);
}

}  // namespace holdfast
