#include "harness/explore/shrink_cell.h"

#include <fmt/format.h>

#include "harness/run/recording.h"

namespace holdfast {

std::optional<ShrunkFinding> shrink_cell(Simulation& simulation, const Scenario& family,
                                         const LockEntry& lock, const Cell& cell) {
  if (cell.letter == Letter::safe || cell.letter == Letter::not_applicable) {
    return std::nullopt;
  }
  const Scenario worked = worst_scenario(family, cell);
  simulation.run(
      {.scenario = &worked, .lock = &lock, .seed = cell.worst_seed, .placement = cell.worst_placement});
  ExploreFinding finding;
  finding.letter = cell.letter;
  finding.choices = logged_choices(simulation.choices());
  ExploreTarget target;
  target.lock = &lock;
  target.scenario = worked;
  target.scenario.faults = faults_of(family, cell.worst_placement);
  target.scenario.sweep.clear();
  target.scenario.column.reset();
  target.scenario.seeds = 1;
  ShrunkFinding shrunk;
  if (!shrink(simulation, target, finding, shrunk)) {
    return std::nullopt;
  }
  shrunk.scenario.name = fmt::format("{}--{}", lock.id, family.name);
  shrunk.scenario.title = fmt::format("{}: {}", lock.id, shrunk.least_text());
  shrunk.scenario.about = fmt::format("The worst of {}, shrunk until nothing could be left out: {}.",
                                      family.name, shrunk.size_text());
  return shrunk;
}

}  // namespace holdfast
