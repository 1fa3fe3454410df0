#include "harness/run/recording.h"

#include <fmt/format.h>

#include <utility>

namespace holdfast {

std::vector<FaultSpec> faults_of(const Scenario& scenario, const std::optional<Placement>& placement) {
  std::vector<FaultSpec> faults = scenario.faults;
  if (placement) {
    FaultSpec fault = scenario.sweep.at(placement->fault);
    fault.on = placement->process;
    fault.at = {};
    fault.at.process = placement->process;
    fault.at.ordinal = placement->ordinal;
    faults.push_back(std::move(fault));
  }
  return faults;
}

void record_applied(History& history, const Step& step) {
  if (!history.wants_details()) {
    return;
  }
  history.record({.type = EventType::applied,
                  .process = step.client,
                  .thread = step.thread,
                  .server = step.server,
                  .token = std::nullopt},
                 fmt::format("{} → {}", step.call->request_text(), step.call->reply_text()));
}

void record_stored(History& history, const StoredWrite& write) {
  const StorageRequest& request = write.request;
  history.record({.type = write.is_accepted ? EventType::stored : EventType::rejected,
                  .operation = Operation::write,
                  .process = write.client,
                  .thread = write.thread,
                  .server = write.server,
                  .session = request.session,
                  .token = request.token,
                  .value = request.value,
                  .version = request.based_on,
                  .found_version = write.found_version});
}

std::string_view to_sentence(Inconclusive why) {
  switch (why) {
    case Inconclusive::no:
      return "";
    case Inconclusive::nothing_checked:
      return "none of the properties that count was ever put to the test";
    case Inconclusive::nobody_left:
      return "every client died, and nobody was left to find out whether the lock comes free";
    case Inconclusive::fault_not_struck:
      return "a fault that it is about found no place";
  }
  return "";
}

void judge(RunReport& report, Checks& checks, bool checks_tokens) {
  checks.finish(report.true_time, report.end);
  report.letter = checks.letter(checks_tokens);
  report.shows_its_letter = checks.shows(report.letter);
  report.longest_wait = checks.progress().longest_wait();
  report.grants = checks.progress().grants();
  report.loss = checks.loss();
  report.broken_claims = checks.broken_claims();
}

}  // namespace holdfast
