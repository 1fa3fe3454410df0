#include "harness/cli/explore/explore_once.h"

#include <fmt/format.h>

#include "harness/cli/story/tell.h"
#include "harness/explore/shrunk_run.h"
#include "harness/run/service_findings.h"
#include "harness/text/bad_input.h"

namespace holdfast::cli {
namespace {

const PlannedTarget& only_target(const ExplorePlan& plan) {
  if (plan.targets().size() != 1) {
    throw BadInput(fmt::format(
        "--run wants one lock and one strategy; these are {} of them together: name one with --lock and "
        "--strategy",
        plan.targets().size()));
  }
  return plan.targets().front();
}

ExploreFinding made_again(Simulation& simulation, const PlannedTarget& planned, std::uint64_t run) {
  PieceRequest request;
  request.target = &planned.target;
  request.explorer = planned.explorer;
  request.seed = planned.name.seed;
  const std::optional<ExploreFinding> finding = explore_run(simulation, request, run);
  if (!finding) {
    throw BadInput(
        fmt::format("there is no run {}: {} ends by itself before it", run, planned.explorer->name));
  }
  return *finding;
}

void tell_found(Simulation& simulation, const ReportedFinding& found, const LockEntry& lock, bool json,
                Invocation& invocation) {
  ToldRun told;
  told.scenario = &found.story.scenario;
  told.lock = &lock;
  told.replay_command = found.command;
  ShrunkRun run(found.story, lock);
  RunRequest request = run.request();
  request.details = true;
  request.explain = true;
  told.report = simulation.run(request);
  told.service = service_findings(simulation.history(), lock, *told.scenario);
  tell(told, simulation.history(), simulation.processes(), json, invocation);
}

}  // namespace

int explore_once(const ExploreOptions& options, Invocation& invocation) {
  TargetShelf shelf(invocation.shelf);
  const ExplorePlan plan(request_from(options, shelf), shelf);
  const PlannedTarget& planned = only_target(plan);
  const std::uint64_t number = whole_number("--run", options.run, 0, std::uint64_t{1} << 60);
  Simulation simulation;
  const ExploreFinding finding = made_again(simulation, planned, number);
  ReportedFinding found;
  if (!make_story(simulation, planned.target, finding, found)) {
    throw std::runtime_error(not_reproduced_text(planned.name, finding));
  }
  found.story.scenario.name = story_name(planned.name, found.story);
  found.command = planned.commands.of(number);
  tell_found(simulation, found, *planned.target.lock, options.json, invocation);
  return exit_code_of(finding.letter);
}

}  // namespace holdfast::cli
