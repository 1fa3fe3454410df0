// A mutant: a lock of the catalog with one bug seeded into it, to find out what finds it.
//
// The bug is one that people have shipped; the file of each says which, and where. Beside it stands the scope
// in which it is looked for: faults that the correct lock withstands. Whoever finds the mutant there and does
// not accuse the correct lock has found the bug, not a weakness of the design.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/letter.h"
#include "harness/scenario/scenario.h"
#include "locks/catalog.h"

namespace holdfast {

struct MutantScope {
  std::vector<FaultSpec> menu;
  std::uint32_t clients = 3;
  std::uint32_t rounds = 1;
  std::uint32_t most_faults = 2;
  std::string workload = "cycle";
  ScenarioDuration work{300ms, 0};
  // The worst letter that the correct lock may come to here: a lease that must run out after a crash is no
  // bug.
  Letter entitled = Letter::stuck_bounded;

  bool accuses(Letter letter) const { return letter > entitled; }
};

struct MutantEntry {
  LockEntry lock;            // as the correct one, but for its id and how it is made
  std::string_view correct;  // id of that one
  std::string_view bug;      // one line
  MutantScope scope;
};

namespace mutants {

using MakeLock = std::unique_ptr<Lock> (*)(LockSettings settings);
using MakeLatch = std::unique_ptr<Latch> (*)(LockSettings settings);

// Throws std::logic_error if there is no lock `correct`.
MutantEntry make_entry(std::string_view id, std::string_view correct, std::string_view bug, MakeLock make,
                       MutantScope scope);
MutantEntry make_latch_entry(std::string_view id, std::string_view correct, std::string_view bug,
                             MakeLatch make, MutantScope scope);

// For menus. A part of the lease is in thousandths.
FaultSpec pause_for(std::int64_t lease_per_mille);
// Only at steps of this command: before the lock looked at its answer.
FaultSpec pause_at(std::string_view command, std::int64_t lease_per_mille);
FaultSpec crash();
FaultSpec crash_and_restart();
FaultSpec lost_reply();
FaultSpec reset();
// One message is late by so much; what follows overtakes it. Not for longer than a lease: a write that
// storage gets after its writer died and another took over breaks every lock that has no tokens.
FaultSpec delay_by(ScenarioDuration by);
// Only messages of this command.
FaultSpec delay_of(std::string_view command, ScenarioDuration by);
// From the lock servers, and everything on the way is lost.
FaultSpec cut_for(ScenarioDuration lasts, std::string_view direction);
FaultSpec failover();

// A part of the lease.
constexpr ScenarioDuration of_lease(std::int64_t per_mille) {
  return {Duration::zero(), per_mille};
}

}  // namespace mutants
}  // namespace holdfast
