#include "harness/cli/finding_files.h"

#include "harness/cli/output.h"
#include "harness/cli/told_run.h"
#include "harness/explore/shrunk_run.h"
#include "harness/scenario/save.h"

namespace holdfast::cli {

std::string write_finding(const ShrunkFinding& finding, const LockEntry& lock, const std::string& base,
                          const std::string& shown_base) {
  Simulation simulation;
  ShrunkRun run(finding, lock);
  ChoiceLog log;
  log.fingerprint = simulation.run(run.request()).fingerprint;
  log.scenario_json = to_json_text(finding.scenario);
  log.scenario_name = finding.scenario.name;
  log.lock = std::string(lock.id);
  log.reorders = finding.reorders;
  log.choices = logged_choices(simulation.choices());
  write_choice_log(base + ".log", log);
  if (!finding.choices.empty() || finding.reorders) {
    return "holdfast replay " + shell_word(shown_base + ".log");
  }
  write_file(base + ".json", log.scenario_json, "the scenario");
  return "holdfast run " + shell_word(shown_base + ".json");
}

}  // namespace holdfast::cli
