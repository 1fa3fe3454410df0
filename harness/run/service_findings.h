// The question of the service, asked of a run that is told: is it linearizable as the lock it claims to be?
//
// Asked apart from what clients believed, and only of runs that somebody looks at: it costs the matrix
// nothing and has no say in the letter.
#pragma once

#include <vector>

#include "harness/check/linear/explain.h"
#include "harness/history/history.h"
#include "harness/scenario/scenario.h"
#include "locks/catalog.h"

namespace holdfast {

std::vector<linear::Finding> service_findings(const History& history, const LockEntry& lock,
                                              const Scenario& scenario);

// The calls of a history, with one client for each thread. `names` gets what they are called.
std::vector<CallEvent> calls_of(const History& history, HistorySummary& names);

}  // namespace holdfast
