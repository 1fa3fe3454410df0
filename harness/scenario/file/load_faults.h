// The faults of a scenario: what, on whom, at which step, for how long.
#pragma once

#include "harness/scenario/file/load_field.h"
#include "harness/scenario/file/load_names.h"
#include "harness/scenario/scenario.h"

namespace holdfast {

// In a story a fault has a step; in a sweep it is tried at every one.
enum class FaultPlace : std::uint8_t { at_a_step, at_every_step };

// `scenario` has its topology, settings and clients by now: faults are checked against them.
FaultSpec read_fault(const Field& field, FaultPlace place, const Scenario& scenario,
                     const ScenarioNames& names);

// Whether a run of the scenario can have a server of that name: "storage", "redis" (the only or the first
// Redis server), "redis-2", or a replica, "redis-b", "redis-2-b". How many servers there are is up to the
// lock, so a number too large shows only when it runs.
bool is_server_name(std::string_view name, std::size_t replicas);

}  // namespace holdfast
