// For tests: a scenario made in code that every lock of the catalog can run, and how to run it.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "faults/catalog.h"
#include "harness/history/jsonl.h"
#include "harness/run/simulation.h"
#include "harness/stores/store.h"
#include "locks/lookup/lookup.h"

namespace holdfast {

// Three clients that take the lock in turn, c1 first, and one replica for each server.
inline Scenario plain_scenario(std::string workload = "cycle") {
  Scenario scenario;
  scenario.name = "test";
  scenario.any_lock = true;
  scenario.event_limit = 1'500;  // a few designs ask in a tight loop while a server is down
  for (const Store* const store : all_stores()) {
    if (store->replicas() != nullptr) {
      scenario.topology.set(store->id(), *store->replicas(), std::int64_t{1});
    }
  }
  scenario.workload.kind = std::move(workload);
  for (const char* name : {"c1", "c2", "c3"}) {
    ClientSpec client;
    client.name = name;
    client.start = ScenarioDuration{scenario.clients.empty() ? 0ms : 20ms, 0};
    scenario.clients.push_back(client);
  }
  return scenario;
}

// A fault with all its parameters set to something that makes a difference.
inline FaultSpec some_fault(std::string_view id, const std::string& on) {
  FaultSpec fault;
  fault.fault = std::string(id);
  fault.on = on;
  fault.at.process = on;
  fault.lasts = ScenarioDuration{0s, 1500};
  for (const Option& option : options_of(fault)) {
    if (option.name == "every") {
      fault.options.set(option, ScenarioDuration{300ms, 0});
    } else if (is_duration(option.kind)) {
      fault.options.set(option, ScenarioDuration{0s, 1200});
    } else if (option.is_required) {
      fault.options.set(option, 300'000);
    }
  }
  return fault;
}

// The same with a pause under the lock, a reset and, where there is a server, a failover.
inline Scenario eventful_scenario() {
  Scenario scenario = plain_scenario();
  scenario.workload.rounds = 2;
  FaultSpec pause = some_fault("gc-pause", "c1");
  pause.at.name = "work";
  FaultSpec reset = some_fault("reset", "c2");
  reset.at.time = ScenarioDuration{150ms, 0};
  FaultSpec failover = some_fault("failover", "redis");
  failover.at.time = ScenarioDuration{0s, 1800};
  scenario.faults = {pause, reset, failover};
  return scenario;
}

// A history as it is written; without what servers executed, which is there only with details.
inline std::string lines_of(const History& history) {
  std::string lines;
  for (const Event& event : history.events()) {
    if (event.type != EventType::applied) {
      lines += to_json_line(event, history) + "\n";
    }
  }
  return lines;
}

// For the names of parameterised tests, which may not have dashes.
inline std::string test_name(std::string_view id) {
  std::string name(id);
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

inline std::vector<const LockEntry*> every_lock() {
  std::vector<const LockEntry*> locks;
  for (const LockEntry& lock : all_locks()) {
    locks.push_back(&lock);
  }
  return locks;
}

}  // namespace holdfast
