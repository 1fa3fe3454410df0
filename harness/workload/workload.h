// Workloads: what the clients do with the lock. One coroutine per thread of a client.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/scenario/scenario.h"
#include "harness/workload/worker.h"
#include "locks/catalog.h"

namespace holdfast {

enum class WorkloadKind : std::uint8_t {
  cycle,            // acquire, read the resource, work, write it, release; several rounds
  reentrant,        // acquire twice, work, release twice
  twice,            // the first client locks twice and unlocks once, and goes on as if it held the lock
  foreign,          // a client releases what it does not hold; later, what it held too long
  readers_writers,  // some read the resource under the shared lock, some change it under the exclusive one
  roles,            // each reads, then writes, and goes on reading under a lock that it made less of
  permits,          // acquire a permit, work, release it
  latch,            // one waits until all others have counted down
  oversell,         // buy one of a limited stock, as long as there is any
};
std::string_view to_text(WorkloadKind kind);

// A client's part, with all durations resolved.
struct WorkPlan {
  WorkloadKind kind = WorkloadKind::cycle;
  std::size_t client = 0;   // counts from 0
  std::size_t clients = 1;  // how many there are
  std::string role;
  std::uint32_t rounds = 1;
  Duration start{0};
  Duration work{0};
  Duration pause{0};
  Duration ttl{0};
  Duration poll = 50ms;              // how often a client looks whether another is ready for it
  std::optional<Duration> patience;  // an acquire that takes longer is given up
  bool reentrant = false;            // the lock claims to be
  bool own_object = false;           // this thread's lock object is its own, not that of its process
  std::int64_t latch_count = 0;
};

// The workload that `name` means for a lock of this kind: a "cycle" of a semaphore is "permits".
WorkloadKind workload_for(std::string_view name, LockKind kind);
// Whether a lock of this kind can do the workload at all.
bool can_do(WorkloadKind workload, LockKind kind);

Task<> run_workload(Worker& worker, const WorkPlan& plan);

}  // namespace holdfast
