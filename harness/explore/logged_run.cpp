#include "harness/explore/logged_run.h"

#include <fmt/format.h>

#include "harness/kernel/fingerprint.h"
#include "harness/mutate/mutants.h"
#include "harness/scenario/file/load.h"
#include "harness/scenario/shelf/shelf.h"
#include "harness/text/bad_input.h"

namespace holdfast {

namespace {

const LockEntry& lock_in(const ChoiceLog& log, const std::string& path) {
  try {
    return lock_or_mutant_called(log.lock);
  } catch (const BadInput& problem) {
    throw BadInput(fmt::format("{} cannot be replayed: {}", path, problem.what()));
  }
}

}  // namespace

LoggedRun::LoggedRun(const std::string& path)
    : path_(path),
      log_(read_choice_log(path)),
      scenario_(
          parse_scenario(log_.scenario_json, "the scenario in " + path, log_.scenario_name, known_names())),
      lock_(&lock_in(log_, path)) {
  if (const std::string reason = why_not_applicable(scenario_, *lock_); !reason.empty()) {
    throw BadInput(fmt::format("{} cannot be replayed: {}", path, reason));
  }
  if (log_.placement && log_.placement->fault >= scenario_.sweep.size()) {
    throw BadInput(fmt::format("{} places fault {}, but its scenario tries only {}", path,
                               log_.placement->fault + 1, scenario_.sweep.size()));
  }
}

RunRequest LoggedRun::request() const {
  RunRequest request{.scenario = &scenario_, .lock = lock_, .seed = log_.seed, .placement = log_.placement};
  request.scope = log_.reorders ? &scope_ : nullptr;
  return request;
}

void LoggedRun::require_same(const RunReport& report, const std::string& divergence) const {
  if (!divergence.empty()) {
    throw BadInput(fmt::format("{} does not fit this version of holdfast: {}", path_, divergence));
  }
  if (report.fingerprint != log_.fingerprint) {
    throw BadInput(
        fmt::format("{} does not fit this version of holdfast: the run has the fingerprint {}, the log {}",
                    path_, to_hex(report.fingerprint), to_hex(log_.fingerprint)));
  }
}

}  // namespace holdfast
