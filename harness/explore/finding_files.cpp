#include "harness/explore/finding_files.h"

#include "harness/explore/shrunk_run.h"
#include "harness/files/output_file.h"
#include "harness/scenario/file/save.h"
#include "harness/text/shell_word.h"

namespace holdfast {

namespace {

bool needs_no_log(const ShrunkFinding& finding) {
  return finding.choices.empty() && !finding.reorders;
}

}  // namespace

void write_finding(const ShrunkFinding& finding, const LockEntry& lock, const std::string& base) {
  write_finding_log(finding, lock, base);
  if (needs_no_log(finding)) {
    write_file(base + ".json", to_json_text(finding.scenario), "the scenario");
  }
}

std::string finding_command(const ShrunkFinding& finding, const std::string& base) {
  return needs_no_log(finding) ? "holdfast run " + shell_word(base + ".json") : log_command(base);
}

void write_finding_log(const ShrunkFinding& finding, const LockEntry& lock, const std::string& base) {
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
}

std::string log_command(const std::string& base) {
  return "holdfast replay " + shell_word(base + ".log");
}

}  // namespace holdfast
