#include "harness/explore/sweep.h"

#include <algorithm>

#include "faults/catalog.h"
#include "harness/explore/step_list.h"
#include "harness/run/plan.h"
#include "harness/run/service_findings.h"
#include "harness/workload/shapes.h"

namespace holdfast {
namespace {

// After the first run in which two held the lock: that many more may look for one in which it did harm, and
// in which nobody was told of the loss.
constexpr std::uint64_t most_runs_after_a_violation = 40;

// Of one fault in one shape: how many runs go on beyond their usual limits to be decided.
constexpr std::uint64_t most_followed_runs = 2;

// What has no say in the letter.
void note_besides(Cell& cell, const RunReport& report) {
  cell.loss = std::max(cell.loss, report.loss);
  for (const std::string_view claim : report.broken_claims) {
    if (std::ranges::find(cell.broken_claims, claim) == cell.broken_claims.end()) {
      cell.broken_claims.push_back(claim);
    }
  }
}

// Of a lock that broke nothing that makes a letter: whether its service is what it claims to be, asked of the
// run that stands for the cell. (Where two hold it at once, that it is not linearizable says nothing new.)
void note_service(Cell& cell, Simulation& simulation, const Scenario& family, const LockEntry& lock) {
  if (cell.letter != Letter::safe && cell.letter != Letter::stuck_bounded) {
    return;
  }
  const Scenario worked = worst_scenario(family, cell);
  simulation.run({.scenario = &worked,
                  .lock = &lock,
                  .seed = cell.worst_seed,
                  .placement = cell.worst_placement,
                  .details = true});
  const std::vector<linear::Finding> findings = service_findings(simulation.history(), lock, worked);
  if (std::ranges::any_of(findings, [](const linear::Finding& finding) {
        return finding.about == "service" && finding.mark == linear::Finding::Mark::bad;
      })) {
    cell.broken_claims.emplace_back("service");
  }
}

bool can_strike(const FaultSpec& fault, const FaultEntry& entry, const StepPlace& place,
                const std::string& name, bool is_client) {
  if (std::find(entry.phases.begin(), entry.phases.end(), place.phase) == entry.phases.end() ||
      !is_tried_at(fault, place.phase)) {
    return false;
  }
  if (fault.on == "clients") {
    return is_client && !place.on_server;
  }
  if (fault.on == "servers") {
    return place.on_server && name != "storage";
  }
  return name == fault.on;
}

// One cell while it is being made.
class Sweep {
 public:
  Sweep(Simulation& simulation, const Scenario& family, const LockEntry& lock, SweepDepth depth,
        std::optional<Letter> enough)
      : simulation_(simulation), family_(family), lock_(lock), depth_(depth), enough_(enough) {}

  Cell make(std::uint64_t first_seed) {
    for (const Shape* const shape : shapes_for(family_, lock_)) {
      shapes_.push_back({shape, shaped(family_, *shape), {}});
      shapes_.back().plan = make_plan(shapes_.back().scenario, lock_);
      cell_.shapes.push_back({.shape = shape->id});
    }
    // Each shape once, then what is left of the seeds: a cell that breaks does so soon.
    for (std::uint32_t offset = 0; offset < family_.seeds; ++offset) {
      for (std::size_t index = 0; index < shapes_.size(); ++index) {
        if (offset < seeds_of(index)) {
          run_shape(index, first_seed + offset, offset == 0);
        }
      }
    }
    if (cell_.runs > 0 && cell_.letter == Letter::not_applicable) {
      cell_.letter = Letter::undecided;
    }
    note_service(cell_, simulation_, family_, lock_);
    return std::move(cell_);
  }

 private:
  struct Prepared {
    const Shape* shape = nullptr;
    Scenario scenario;
    RunPlan plan;
  };

  // Where nothing is placed a seed is one run.
  std::uint32_t seeds_of(std::size_t index) const {
    const bool all = index == 0 || depth_ == SweepDepth::deep || shapes_[index].scenario.sweep.empty();
    return all ? family_.seeds : 1;
  }

  bool is_done() {
    const bool at_worst =
        cell_.letter == Letter::violated && cell_.shows_its_letter && cell_.loss == Loss::never_told;
    const bool done =
        (depth_ == SweepDepth::usual && (at_worst || runs_since_violation_ > most_runs_after_a_violation)) ||
        (enough_ && cell_.letter > *enough_);
    cell_.is_cut_short = cell_.is_cut_short || done;
    return done;
  }

  void count(std::size_t index, const RunReport& report, std::uint64_t seed,
             const std::optional<Placement>& placement) {
    ++cell_.runs;
    ++cell_.shapes[index].runs;
    note_besides(cell_, report);
    runs_since_violation_ += cell_.letter == Letter::violated ? 1 : 0;
    followed_ += report.is_followed ? 1 : 0;
    if (report.letter == Letter::undecided && !follows_) {
      ++cell_.not_followed_runs;
      return;
    }
    if (report.is_inconclusive()) {
      if (++cell_.inconclusive_runs == cell_.runs) {
        keep_as_worst(index, seed, placement);
      }
      return;
    }
    ++cell_.runs_by_letter[static_cast<std::size_t>(report.letter)];
    cell_.longest_wait = std::max(cell_.longest_wait, report.longest_wait);
    if (report.letter > cell_.letter ||
        (report.letter == cell_.letter && report.shows_its_letter && !cell_.shows_its_letter)) {
      cell_.letter = report.letter;
      cell_.shows_its_letter = report.shows_its_letter;
      keep_as_worst(index, seed, placement);
    }
  }

  void keep_as_worst(std::size_t index, std::uint64_t seed, const std::optional<Placement>& placement) {
    cell_.worst_shape = cell_.shapes[index].shape;
    cell_.worst_seed = seed;
    cell_.worst_placement = placement;
  }

  void run_shape(std::size_t index, std::uint64_t seed, bool is_first) {
    if (is_done()) {
      return;
    }
    const Prepared& prepared = shapes_[index];
    ShapeScope& scope = cell_.shapes[index];
    steps_.reset();
    RunRequest request{
        .scenario = &prepared.scenario, .lock = &lock_, .seed = seed, .placement = std::nullopt};
    request.plan = &prepared.plan;
    request.step_observer = &steps_;
    // The run without the fault: it is the family's when there is nothing to place, else only the probe.
    const RunReport probe = simulation_.run(request);
    steps_.finish();
    // Nobody ever got the lock: no fault can make that worse, or better.
    const bool hopeless = probe.grants == 0;
    if (prepared.scenario.sweep.empty() || hopeless) {
      count(index, probe, seed, std::nullopt);
      ++scope.seeds;
      return;
    }
    request.step_observer = nullptr;
    follows_ = true;
    knows_wall_.clear();
    for (std::size_t process = 0; process < simulation_.kernel().process_count(); ++process) {
      knows_wall_.push_back(simulation_.kernel().process(static_cast<ProcessId>(process)).knows_wall);
    }
    if (is_first) {
      scope.beyond = steps_.beyond();
    }
    for (std::size_t fault = 0; fault < prepared.scenario.sweep.size(); ++fault) {
      if (suits(*find_fault(prepared.scenario.sweep[fault].fault), lock_.needs.store)) {
        place(index, fault, request, is_first);
      }
    }
    scope.seeds += is_done() ? 0 : 1;
  }

  // Of the run without the fault, and so of any with it.
  bool cannot_notice(const FaultSpec& spec, const FaultEntry& entry, const StepPlace& place,
                     bool is_client) const {
    return depth_ == SweepDepth::usual && is_client && entry.is_of_wall_only != nullptr &&
           entry.is_of_wall_only(spec) && !knows_wall_[index_of(place.process)];
  }

  // One fault of the family at each step that it can strike.
  void place(std::size_t index, std::size_t fault, RunRequest& request, bool is_first) {
    const FaultSpec& spec = shapes_[index].scenario.sweep[fault];
    const FaultEntry& entry = *find_fault(spec.fault);
    ShapeScope& scope = cell_.shapes[index];
    const bool leaves_out = index != 0 && depth_ == SweepDepth::usual;
    followed_ = 0;
    std::vector<ProcessId> unaware;  // who cannot notice it: one placement shows that
    for (const StepPlace& place : steps_.places()) {
      const std::string& name = simulation_.kernel().process(place.process).name;
      const bool is_client =
          std::ranges::any_of(family_.clients, [&](const ClientSpec& client) { return client.name == name; });
      if (!can_strike(spec, entry, place, name, is_client)) {
        continue;
      }
      // A client that waits for an answer does not look at its clock.
      const bool waits = is_client && entry.is_of_wall_only != nullptr &&
                         (place.phase == Phase::arrived || place.phase == Phase::applied);
      bool is_left_out = leaves_out && (place.repeats || waits);
      if (cannot_notice(spec, entry, place, is_client)) {
        is_left_out = std::ranges::count(unaware, place.process) != 0;
        unaware.push_back(place.process);
      }
      scope.repetitions += is_first && is_left_out ? 1 : 0;
      scope.placements += is_first && !is_left_out ? 1 : 0;
      if (is_left_out) {
        continue;
      }
      if (is_done()) {
        return;
      }
      follows_ = depth_ == SweepDepth::deep ||
                 (cell_.letter < Letter::stuck_for_ever && followed_ < most_followed_runs);
      request.follows = follows_;
      request.placement = Placement{fault, name, place.ordinal};
      count(index, simulation_.run(request), request.seed, request.placement);
    }
  }

  Simulation& simulation_;
  const Scenario& family_;
  const LockEntry& lock_;
  SweepDepth depth_;
  std::optional<Letter> enough_;
  std::vector<Prepared> shapes_;
  StepList steps_;
  std::vector<bool> knows_wall_;  // by process
  Cell cell_;
  std::uint64_t runs_since_violation_ = 0;
  std::uint64_t followed_ = 0;  // runs of the present fault and shape
  bool follows_ = true;         // the present run is
};

}  // namespace

Cell sweep(Simulation& simulation, const Scenario& family, const LockEntry& lock, std::uint64_t first_seed,
           SweepDepth depth, std::optional<Letter> enough) {
  return why_not_applicable(family, lock).empty()
             ? Sweep(simulation, family, lock, depth, enough).make(first_seed)
             : Cell{};
}

Scenario worst_scenario(const Scenario& family, const Cell& cell) {
  const Shape* const shape = find_shape(cell.worst_shape);
  return shape == nullptr ? family : shaped(family, *shape);
}

}  // namespace holdfast
