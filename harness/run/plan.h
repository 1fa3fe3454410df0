// What a scenario means for one lock, with every duration resolved: the same in every world.
//
// A world takes the plan, and runs it on its own servers and its own time.
#pragma once

#include <string>
#include <vector>

#include "harness/check/check.h"
#include "harness/scenario/scenario.h"
#include "harness/stores/store.h"
#include "harness/workload/workload.h"
#include "locks/catalog.h"

namespace holdfast {

// One process and what its threads do.
struct ClientPlan {
  std::string name;
  std::vector<WorkPlan> threads;
};

struct RunPlan {
  Duration ttl{0};
  LockSettings settings;
  Duration command_timeout{0};
  Duration time_limit{0};
  bool checks_tokens = false;
  ServersPlan servers;
  WorkloadKind workload = WorkloadKind::cycle;
  std::vector<ClientPlan> clients;
  // `stranger` is left to whoever knows the processes; `grace` follows settings and command_timeout.
  CheckContext context;
};

// The lease: the lock's own unless the scenario gives one, and a usual one for a lock that never expires.
Duration ttl_of(const Scenario& scenario, const LockEntry& lock);
// What their processes are called, in order.
std::vector<std::string> names_of(const std::vector<ClientPlan>& clients);
RunPlan make_plan(const Scenario& scenario, const LockEntry& lock);
// How long a free lock may stand before a waiter gets it, with these settings.
Duration grace_of(const LockSettings& settings, Duration command_timeout);

}  // namespace holdfast
