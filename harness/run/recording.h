// What every world writes down in the same way.
#pragma once

#include <optional>
#include <vector>

#include "harness/check/checks.h"
#include "harness/history/history.h"
#include "harness/run/report.h"
#include "harness/run/simulation.h"
#include "harness/stores/storage/storage.h"

namespace holdfast {

// The faults of a run: the scenario's, and the one that is placed.
std::vector<FaultSpec> faults_of(const Scenario& scenario, const std::optional<Placement>& placement);

// A server executed a command; only for a history that wants details.
void record_applied(History& history, const Step& step);

// Storage decided on a write.
struct StoredWrite {
  ProcessId client{};
  std::uint32_t thread = 0;
  ProcessId server{};
  const StorageRequest& request;
  bool is_accepted = false;
  std::int64_t found_version = 0;
};
void record_stored(History& history, const StoredWrite& write);

// The run is over: what its checks came to.
void judge(RunReport& report, Checks& checks, bool checks_tokens);

}  // namespace holdfast
