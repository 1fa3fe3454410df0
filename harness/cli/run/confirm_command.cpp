// holdfast confirm LOG: does what was found in sim also happen on the real server?
#include <fmt/format.h>

#include <memory>

#include "harness/cli/terminal/commands.h"
#include "harness/cli/terminal/server_option.h"
#include "harness/cli/terminal/world.h"
#include "harness/explore/logged_run.h"
#include "harness/run/confirmation.h"
#include "harness/text/bad_input.h"

namespace holdfast::cli {
namespace {

struct ConfirmOptions {
  std::string log;
  std::vector<std::string> servers;
};

int confirm_log(const ConfirmOptions& options, Invocation& invocation) {
  if (options.log.empty()) {
    throw BadInput("confirm wants to know which log; \"holdfast run SCENARIO --log FILE\" writes one");
  }
  const live::ServerPrograms programs = server_programs_from(options.servers);
  const LoggedRun logged(options.log);
  const Confirmation confirmation = WarpConfirmer(programs)->confirm(
      logged.request(), [&] { return std::make_unique<ReplayStrategy>(logged.log()); });
  // Both of a log from another version would go the same wrong way.
  logged.require_same(confirmation.modelled, "");
  invocation.output.print(to_text(confirmation));
  return confirmation.is_confirmed ? exit_well : exit_violated;
}

}  // namespace

void add_confirm_command(CLI::App& app, Handler& chosen) {
  const auto options = std::make_shared<ConfirmOptions>();
  Subcommand(app, "confirm", "Runs again what a log of choices says, with the real servers on virtual time.")
      .word("LOG", options->log, "a file that holdfast run --log wrote")
      .with(add_server_option, options->servers)
      .footer("Exit codes: 0 the real server does the same, 1 it does not, 2 bad input.")
      .act(chosen, [options](Invocation& invocation) { return confirm_log(*options, invocation); });
}

}  // namespace holdfast::cli
