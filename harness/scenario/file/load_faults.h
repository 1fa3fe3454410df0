// The faults of a scenario: what, on whom, at which step, for how long.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "faults/fault.h"
#include "harness/scenario/file/load_field.h"
#include "harness/scenario/scenario.h"

namespace holdfast {

// In a story a fault has a step; in a sweep it is tried at every one, or at every one of a phase.
enum class FaultPlace : std::uint8_t { at_a_step, at_every_step };

// `scenario` has its topology, settings and clients by now: faults are checked against them.
FaultSpec read_fault(const Field& field, FaultPlace place, const Scenario& scenario);
// Fails if it is of another store than the lock of its story; `field` is where it was read.
void check_fault_suits(const Field& field, const FaultSpec& spec, std::string_view lock,
                       std::string_view store);

// The fields that say when it is over: none, "for", or "for" and "until".
std::vector<std::string> lasting_words(const FaultEntry& entry);
// All fields that it may have.
std::vector<std::string> words_of(const FaultEntry& entry);
// The phases of calls at which a sweep tries it, one of which may be chosen.
std::vector<std::string> swept_phases(const FaultEntry& entry);

// Whether a run of the scenario can have a server of that name: "storage", "redis" (the only or the first
// Redis server), "redis-2", or a replica, "redis-b", "redis-2-b". How many servers there are is up to the
// lock, so a number too large shows only when it runs.
bool is_server_name(std::string_view name, std::size_t replicas);

}  // namespace holdfast
