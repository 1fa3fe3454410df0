#include "harness/explore/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "faults/catalog.h"
#include "faults/injector.h"
#include "harness/run/plan.h"
#include "harness/run/service_findings.h"

namespace holdfast {
namespace {

struct StepPlace {
  ProcessId process{};
  std::uint32_t ordinal = 0;
  Phase phase = Phase::point;
  bool on_server = false;
};

// Lists the steps of a run.
class StepList final : public StepObserver {
 public:
  void on_step(const Step& step) override {
    if (step.client_ordinal <= most_steps_of_a_process) {
      places_.push_back({step.client, step.client_ordinal, step.phase, false});
    }
    if (step.server_ordinal != 0 && step.server_ordinal <= most_steps_of_a_process) {
      places_.push_back({step.server, step.server_ordinal, step.phase, true});
    }
  }
  const std::vector<StepPlace>& places() const { return places_; }

 private:
  std::vector<StepPlace> places_;
};

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
  simulation.run({.scenario = &family,
                  .lock = &lock,
                  .seed = cell.worst_seed,
                  .placement = cell.worst_placement,
                  .details = true});
  const std::vector<linear::Finding> findings = service_findings(simulation.history(), lock, family);
  if (std::ranges::any_of(findings, [](const linear::Finding& finding) {
        return finding.about == "service" && finding.mark == linear::Finding::Mark::bad;
      })) {
    cell.broken_claims.emplace_back("service");
  }
}

void count(Cell& cell, const RunReport& report, std::uint64_t seed,
           const std::optional<Placement>& placement) {
  ++cell.runs;
  note_besides(cell, report);
  if (report.is_inconclusive()) {
    if (++cell.inconclusive_runs == cell.runs) {
      cell.worst_seed = seed;
      cell.worst_placement = placement;
    }
    return;
  }
  ++cell.runs_by_letter[static_cast<std::size_t>(report.letter)];
  cell.longest_wait = std::max(cell.longest_wait, report.longest_wait);
  if (report.letter > cell.letter || (report.letter == cell.letter && report.is_harmed && !cell.is_harmed)) {
    cell.letter = report.letter;
    cell.is_harmed = report.is_harmed;
    cell.worst_seed = seed;
    cell.worst_placement = placement;
  }
}

bool can_strike(const FaultSpec& fault, const FaultEntry& entry, const StepPlace& place,
                const std::string& name, bool is_client) {
  if (std::find(entry.phases.begin(), entry.phases.end(), place.phase) == entry.phases.end()) {
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

}  // namespace

Cell sweep(Simulation& simulation, const Scenario& family, const LockEntry& lock, std::uint64_t first_seed) {
  Cell cell;
  if (!why_not_applicable(family, lock).empty()) {
    return cell;
  }
  const RunPlan plan = make_plan(family, lock);
  for (std::uint32_t offset = 0; offset < family.seeds; ++offset) {
    const std::uint64_t seed = first_seed + offset;
    StepList steps;
    RunRequest request{.scenario = &family, .lock = &lock, .seed = seed, .placement = std::nullopt};
    request.plan = &plan;
    request.step_observer = &steps;
    // The run without the fault: it is the family's when there is nothing to place, else only the probe.
    const RunReport probe = simulation.run(request);
    // Nobody ever got the lock: no fault can make that worse, or better.
    const bool hopeless = probe.grants == 0;
    if (family.sweep.empty() || hopeless) {
      count(cell, probe, seed, std::nullopt);
      continue;
    }
    request.step_observer = nullptr;
    for (std::size_t fault = 0; fault < family.sweep.size(); ++fault) {
      const FaultEntry& entry = *find_fault(family.sweep[fault].fault);
      if (!suits(entry, lock.needs.store)) {
        continue;
      }
      for (const StepPlace& place : steps.places()) {
        const std::string& name = simulation.kernel().process(place.process).name;
        const bool is_client = std::any_of(family.clients.begin(), family.clients.end(),
                                           [&](const ClientSpec& client) { return client.name == name; });
        if (!can_strike(family.sweep[fault], entry, place, name, is_client)) {
          continue;
        }
        request.placement = Placement{fault, name, place.ordinal};
        count(cell, simulation.run(request), seed, request.placement);
      }
    }
  }
  if (cell.runs > 0 && cell.letter == Letter::not_applicable) {
    cell.letter = Letter::undecided;
  }
  note_service(cell, simulation, family, lock);
  return cell;
}

}  // namespace holdfast
