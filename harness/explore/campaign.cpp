#include "harness/explore/campaign.h"

#include <algorithm>
#include <bitset>
#include <set>

#include "harness/kernel/fingerprint.h"

namespace holdfast {
namespace {

constexpr std::ptrdiff_t most_of_a_letter = 6;  // memory stays flat
constexpr std::uint64_t runs_between_looks = 64;

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
                          std::uint64_t run) {
  ExploreFinding finding;
  finding.letter = report.letter;
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

// A number for the letter and the entries of the menu that struck, in any order.
std::uint64_t kind_of(Letter letter, const std::vector<InjectedFault>& injected) {
  std::uint64_t sum = 0;
  for (const InjectedFault& each : injected) {
    sum += mix(each.entry + 1);
  }
  return mix(sum ^ static_cast<std::uint64_t>(letter));
}

bool is_same_kind(const ExploreFinding& one, const ExploreFinding& other) {
  return one.letter == other.letter && one.kinds() == other.kinds();
}

// Worse letters first; of the same, fewer faults.
void keep(std::vector<ExploreFinding>& findings, ExploreFinding finding) {
  if (std::ranges::any_of(findings, [&](const auto& each) { return is_same_kind(each, finding); })) {
    return;
  }
  const Letter letter = finding.letter;
  findings.push_back(std::move(finding));
  std::ranges::stable_sort(findings, [](const ExploreFinding& one, const ExploreFinding& other) {
    return one.letter != other.letter ? one.letter > other.letter : one.faults.size() < other.faults.size();
  });
  const auto [first, last] =
      std::ranges::equal_range(findings, letter, std::ranges::greater{}, &ExploreFinding::letter);
  if (last - first > most_of_a_letter) {
    findings.erase(last - 1);
  }
}

std::string kinds_of(const std::vector<FaultSpec>& faults) {
  std::vector<std::string> ids;
  for (const FaultSpec& fault : faults) {
    ids.push_back(fault.fault);
  }
  std::ranges::sort(ids);
  std::string text;
  for (const std::string& id : ids) {
    text += (text.empty() ? "" : ", ") + id;
  }
  return text;
}

}  // namespace

std::string ExploreFinding::kinds() const {
  return kinds_of(faults);
}

PieceResult explore_piece(Simulation& simulation, const PieceRequest& request) {
  const ExploreTarget& target = *request.target;
  const auto explorer = request.explorer->make(request.seed, probe(simulation, target, request.seed));
  StepPairs pairs;
  RunRequest run{.scenario = &target.scenario,
                 .lock = target.lock,
                 .seed = request.seed,
                 .placement = std::nullopt,
                 .step_observer = explorer->wants_coverage() ? &pairs : nullptr,
                 .strategy = explorer.get(),
                 .scope = &target.scope};
  PieceResult result;
  std::set<std::uint64_t> known;
  for (std::uint64_t number = request.first; number < request.first + request.count; ++number) {
    if (number % runs_between_looks == 0 && request.is_time_up && request.is_time_up()) {
      return result;
    }
    if (!explorer->begin(number)) {
      result.all_of_them = true;
      return result;
    }
    pairs.reset();
    const RunReport report = simulation.run(run);
    ++result.runs;
    ++result.runs_by_letter[static_cast<std::size_t>(report.letter)];
    result.marks |= report.marks;
    if (explorer->wants_coverage()) {
      explorer->end(report, simulation.choices(), pairs.numbers());
    }
    if (report.letter != Letter::safe && known.insert(kind_of(report.letter, simulation.injected())).second) {
      keep(result.findings, finding_of(simulation, target, report, number));
      if (request.stop_at_first && report.letter >= request.stop_at) {
        return result;
      }
    }
  }
  return result;
}

void add(PieceResult& result, PieceResult other) {
  result.runs += other.runs;
  for (std::size_t letter = 0; letter < result.runs_by_letter.size(); ++letter) {
    result.runs_by_letter[letter] += other.runs_by_letter[letter];
  }
  result.marks |= other.marks;
  result.all_of_them = result.all_of_them || other.all_of_them;
  for (ExploreFinding& finding : other.findings) {
    keep(result.findings, std::move(finding));
  }
}

}  // namespace holdfast
