// holdfast replay LOG: a run once more, from the choices it made, and whether it is still the same run.
#include <memory>

#include "harness/cli/story/tell.h"
#include "harness/cli/terminal/commands.h"
#include "harness/explore/logged_run.h"
#include "harness/run/service_findings.h"
#include "harness/text/bad_input.h"
#include "harness/text/shell_word.h"

namespace holdfast::cli {
namespace {

struct ReplayOptions {
  std::string log;
  bool json = false;
};

int replay(const ReplayOptions& options, Invocation& invocation) {
  if (options.log.empty()) {
    throw BadInput("replay wants to know which log; \"holdfast run SCENARIO --log FILE\" writes one");
  }
  const LoggedRun logged(options.log);
  const ChoiceLog& log = logged.log();
  ToldRun told;
  told.scenario = &logged.scenario();
  told.lock = &logged.lock();
  told.seed = log.seed;
  told.placement = log.placement;
  told.replay_command = "holdfast replay " + shell_word(options.log);

  ReplayStrategy strategy(log);
  Simulation simulation;
  RunRequest request = logged.request();
  request.details = true;
  request.explain = true;
  request.strategy = &strategy;
  told.report = simulation.run(request);
  told.service = service_findings(simulation.history(), *told.lock, *told.scenario);
  logged.require_same(told.report, strategy.divergence());
  tell(told, simulation.history(), simulation.processes(), options.json, invocation);
  if (!options.json) {
    invocation.output.print("  the same run: the fingerprint is the one in the log\n");
  }
  return exit_code_of(told.letter());
}

}  // namespace

void add_replay_command(CLI::App& app, Handler& chosen) {
  const auto options = std::make_shared<ReplayOptions>();
  Subcommand(app, "replay", "Runs again what a log of choices says, and tells whether it is the same run.")
      .word("LOG", options->log, "a file that holdfast run --log wrote")
      .flag("--json", options->json, "print the verdicts as JSON instead of the story")
      .act(chosen, [options](Invocation& invocation) { return replay(*options, invocation); });
}

}  // namespace holdfast::cli
