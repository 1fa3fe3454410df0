#include "locks/mutants/mutant.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "faults/catalog.h"

namespace holdfast::mutants {
namespace {

FaultSpec of_clients(std::string_view id) {
  FaultSpec fault;
  fault.fault = std::string(id);
  fault.on = "clients";
  return fault;
}

LockEntry renamed(std::string_view correct, std::string_view id, std::string_view bug) {
  const auto found = std::ranges::find(all_locks(), correct, &LockEntry::id);
  if (found == all_locks().end()) {
    throw std::logic_error("a mutant of a lock that does not exist: " + std::string(correct));
  }
  LockEntry lock = *found;
  lock.id = id;
  lock.summary = bug;
  lock.source = "seeded";
  return lock;
}

}  // namespace

MutantEntry make_entry(std::string_view id, std::string_view correct, std::string_view bug, MakeLock make,
                       MutantScope scope) {
  MutantEntry entry{renamed(correct, id, bug), correct, bug, std::move(scope)};
  entry.lock.make = make;
  return entry;
}

MutantEntry make_latch_entry(std::string_view id, std::string_view correct, std::string_view bug,
                             MakeLatch make, MutantScope scope) {
  MutantEntry entry{renamed(correct, id, bug), correct, bug, std::move(scope)};
  entry.lock.make_latch = make;
  return entry;
}

FaultSpec pause_for(std::int64_t lease_per_mille) {
  FaultSpec fault = of_clients("gc-pause");
  fault.lasts = of_lease(lease_per_mille);
  return fault;
}

FaultSpec pause_at(std::string_view command, std::int64_t lease_per_mille) {
  FaultSpec fault = pause_for(lease_per_mille);
  fault.at.name = std::string(command);
  return fault;
}

FaultSpec crash() {
  return of_clients("crash");
}

FaultSpec crash_and_restart() {
  FaultSpec fault = of_clients("crash-restart");
  fault.lasts = ScenarioDuration{2s, 0};
  return fault;
}

FaultSpec lost_reply() {
  return of_clients("lost-reply");
}

FaultSpec reset() {
  return of_clients("reset");
}

FaultSpec delay_by(ScenarioDuration by) {
  FaultSpec fault = of_clients("delay");
  set_option(fault, "by", by);
  return fault;
}

FaultSpec delay_of(std::string_view command, ScenarioDuration by) {
  FaultSpec fault = delay_by(by);
  fault.at.name = std::string(command);
  return fault;
}

FaultSpec cut_for(ScenarioDuration lasts, std::string_view direction) {
  FaultSpec fault = of_clients("partition");
  set_option(fault, "peers", "servers");
  set_option(fault, "direction", std::string(direction));
  fault.lasts = lasts;
  return fault;
}

FaultSpec failover() {
  FaultSpec fault = of_clients("failover");
  fault.on = "servers";
  return fault;
}

}  // namespace holdfast::mutants
