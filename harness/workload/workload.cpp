#include "harness/workload/workload.h"

#include <stdexcept>

namespace holdfast {
namespace {

// The work under the lock: read, compute for a while, write what was computed from the reading.
Task<> work_on_resource(Worker& worker, const WorkPlan& plan, Held held) {
  co_await worker.env().point("read");
  const ReadResult found = co_await worker.read(held);
  if (!found.ok) {
    co_return;  // storage knows better who holds the lock
  }
  co_await worker.env().point("work");
  co_await worker.env().sleep(plan.work);
  co_await worker.env().point("worked");
  co_await worker.write(held, found.value + 1, found.version);
  co_await worker.env().point("written");
}

Task<> release_at_point(Worker& worker, Held held, LockMode mode) {
  co_await worker.env().point("release");
  co_await worker.release(held, mode);
  co_await worker.env().point("released");
}

Task<> run_cycle(Worker& worker, const WorkPlan& plan) {
  for (std::uint32_t round = 0; round < plan.rounds; ++round) {
    co_await worker.env().point("acquire");
    const Held held = co_await worker.acquire_until_granted(LockMode::exclusive);
    co_await worker.env().point("acquired");
    co_await work_on_resource(worker, plan, held);
    co_await release_at_point(worker, held, LockMode::exclusive);
    while (worker.extra_work() > 0) {
      const Held again = co_await worker.acquire_until_granted(LockMode::exclusive);
      co_await work_on_resource(worker, plan, again);
      co_await release_at_point(worker, again, LockMode::exclusive);
    }
    co_await worker.env().sleep(plan.pause);
  }
}

Task<> run_reentrant(Worker& worker, const WorkPlan& plan) {
  for (std::uint32_t round = 0; round < plan.rounds; ++round) {
    co_await worker.env().point("acquire");
    const Held outer = co_await worker.acquire_until_granted(LockMode::exclusive);
    co_await worker.env().point("acquired");
    const Held inner = co_await worker.acquire_until_granted(LockMode::exclusive);
    co_await worker.env().point("acquired");
    co_await work_on_resource(worker, plan, inner);
    co_await release_at_point(worker, inner, LockMode::exclusive);
    if (plan.reentrant) {
      co_await work_on_resource(worker, plan, outer);
      co_await release_at_point(worker, outer, LockMode::exclusive);
    }
    co_await worker.env().sleep(plan.pause);
  }
}

// The first client locks twice and unlocks once. If the lock is re-entrant it still holds it then, and
// goes on working; if it is not, the second acquire is what it waits for. The others wait until the first
// one is through with its second acquire: they are there to take what was given up too early.
Task<> run_twice(Worker& worker, const WorkPlan& plan) {
  if (plan.client != 0) {
    while (!worker.shared().go) {
      co_await worker.env().sleep(plan.poll);
    }
    co_await run_cycle(worker, plan);
    co_return;
  }
  co_await worker.env().point("acquire");
  const Held outer = co_await worker.acquire_until_granted(LockMode::exclusive);
  co_await worker.env().point("acquired");
  const Held inner = co_await worker.acquire_until_granted(LockMode::exclusive);
  co_await worker.env().point("acquired");
  worker.shared().go = true;
  co_await release_at_point(worker, inner, LockMode::exclusive);
  if (plan.reentrant) {
    co_await work_on_resource(worker, plan, outer);
    co_await release_at_point(worker, outer, LockMode::exclusive);
  }
}

// The stranger comes first, takes the lock and releases it; a fault may make that release late, so that by
// then the lock is another's. Later it releases a lock that it never took, while another holds it. Its own
// holds do not count (see BeliefCheck). The others work for most of a lease, so that somebody holds the lock
// whenever the stranger strikes.
Task<> run_foreign(Worker& worker, const WorkPlan& plan) {
  if (plan.client != 0) {
    co_await worker.env().sleep(plan.poll);
    for (std::uint32_t round = 0; round < 2 * plan.rounds; ++round) {
      const Held held = co_await worker.acquire_until_granted(LockMode::exclusive);
      co_await worker.env().point("acquired");
      co_await worker.env().sleep(plan.work);
      co_await release_at_point(worker, held, LockMode::exclusive);
      co_await worker.env().sleep(plan.pause);
    }
    co_return;
  }
  co_await worker.env().point("acquire");
  const Held held = co_await worker.acquire_until_granted(LockMode::exclusive);
  co_await worker.env().point("acquired");
  co_await worker.env().sleep(plan.work / 2);
  co_await release_at_point(worker, held, LockMode::exclusive);
  co_await worker.env().sleep(plan.work / 2);
  co_await release_at_point(worker, Held{++worker.shared().sessions, std::nullopt, false},
                            LockMode::exclusive);
}

Task<> run_readers_writers(Worker& worker, const WorkPlan& plan) {
  const bool reads = plan.role == "reader" || (plan.role.empty() && plan.client % 2 == 1);
  if (!reads) {
    co_await run_cycle(worker, plan);
    co_return;
  }
  for (std::uint32_t round = 0; round < plan.rounds; ++round) {
    co_await worker.env().point("acquire");
    const Held held = co_await worker.acquire_until_granted(LockMode::shared);
    co_await worker.env().point("acquired");
    co_await worker.read(held);
    co_await worker.env().point("work");
    co_await worker.env().sleep(plan.work);
    co_await release_at_point(worker, held, LockMode::shared);
    co_await worker.env().sleep(plan.pause);
  }
}

// Reads under the shared lock, later writes under the exclusive one, and before it gives that up takes the
// shared one beside it: what it then reads nobody can have changed since. Then it is a reader again.
Task<> run_roles(Worker& worker, const WorkPlan& plan) {
  for (std::uint32_t round = 0; round < plan.rounds; ++round) {
    co_await worker.env().point("acquire");
    const Held reader = co_await worker.acquire_until_granted(LockMode::shared);
    co_await worker.env().point("acquired");
    co_await worker.read(reader);
    co_await release_at_point(worker, reader, LockMode::shared);
    co_await worker.env().point("acquire");
    const Held writer = co_await worker.acquire_until_granted(LockMode::exclusive);
    co_await worker.env().point("acquired");
    co_await work_on_resource(worker, plan, writer);
    const Held less = co_await worker.acquire_until_granted(LockMode::shared);
    co_await worker.env().point("acquired");
    co_await release_at_point(worker, writer, LockMode::exclusive);
    co_await worker.env().sleep(plan.work);
    co_await worker.read(less);
    co_await release_at_point(worker, less, LockMode::shared);
    co_await worker.env().sleep(plan.pause);
  }
}

Task<> run_permits(Worker& worker, const WorkPlan& plan) {
  for (std::uint32_t round = 0; round < plan.rounds; ++round) {
    co_await worker.env().point("acquire");
    const Held held = co_await worker.acquire_until_granted(LockMode::exclusive);
    co_await worker.env().point("acquired");
    co_await worker.env().point("work");
    co_await worker.env().sleep(plan.work);
    co_await worker.env().point("worked");
    co_await release_at_point(worker, held, LockMode::exclusive);
    co_await worker.env().sleep(plan.pause);
  }
}

Task<> run_latch(Worker& worker, const WorkPlan& plan) {
  if (plan.client == 0) {
    co_await worker.set_count(plan.latch_count);
    worker.shared().go = true;
    co_await worker.env().point("acquire");
    co_await worker.await_zero();
    co_await worker.env().point("acquired");
    co_return;
  }
  while (!worker.shared().go) {
    co_await worker.env().sleep(plan.poll);
  }
  co_await worker.env().point("work");
  co_await worker.env().sleep(plan.work);
  co_await worker.env().point("worked");
  co_await worker.count_down();
  co_await worker.env().point("released");
}

// One buyer, one item a round, while there is stock.
Task<> run_oversell(Worker& worker, const WorkPlan& plan) {
  for (std::uint32_t round = 0; round < plan.rounds; ++round) {
    co_await worker.env().point("acquire");
    Held held = co_await worker.acquire_until_granted(LockMode::exclusive);
    co_await worker.env().point("acquired");
    bool more = true;
    while (more) {
      const ReadResult found = co_await worker.read(held);
      if (found.ok && found.value > 0) {
        co_await worker.env().point("work");
        co_await worker.env().sleep(plan.work);
        co_await worker.env().point("worked");
        co_await worker.write(held, found.value - 1, found.version);
      }
      co_await release_at_point(worker, held, LockMode::exclusive);
      more = worker.extra_work() > 0;
      if (more) {
        held = co_await worker.acquire_until_granted(LockMode::exclusive);
      }
    }
    co_await worker.env().sleep(plan.pause);
  }
}

struct WorkloadName {
  WorkloadKind kind;
  std::string_view name;
};

constexpr WorkloadName workload_names[] = {
    {WorkloadKind::cycle, "cycle"},
    {WorkloadKind::reentrant, "reentrant"},
    {WorkloadKind::twice, "twice"},
    {WorkloadKind::foreign, "foreign"},
    {WorkloadKind::readers_writers, "readers-writers"},
    {WorkloadKind::roles, "roles"},
    {WorkloadKind::permits, "permits"},
    {WorkloadKind::latch, "latch"},
    {WorkloadKind::oversell, "oversell"},
};

}  // namespace

std::string_view to_text(WorkloadKind kind) {
  for (const WorkloadName& each : workload_names) {
    if (each.kind == kind) {
      return each.name;
    }
  }
  return "unknown";
}

WorkloadKind workload_for(std::string_view name, LockKind kind) {
  for (const WorkloadName& each : workload_names) {
    if (each.name != name) {
      continue;
    }
    if (each.kind != WorkloadKind::cycle) {
      return each.kind;
    }
    switch (kind) {
      case LockKind::mutex:
        return WorkloadKind::cycle;
      case LockKind::read_write:
        return WorkloadKind::readers_writers;
      case LockKind::semaphore:
        return WorkloadKind::permits;
      case LockKind::latch:
        return WorkloadKind::latch;
    }
  }
  throw std::logic_error("a scenario with an unknown workload was not refused: " + std::string(name));
}

bool can_do(WorkloadKind workload, LockKind kind) {
  switch (workload) {
    case WorkloadKind::latch:
      return kind == LockKind::latch;
    case WorkloadKind::readers_writers:
    case WorkloadKind::roles:
      return kind == LockKind::read_write;
    case WorkloadKind::permits:
    case WorkloadKind::foreign:
      return kind != LockKind::latch;
    default:
      return kind == LockKind::mutex || kind == LockKind::read_write;
  }
}

Task<> run_workload(Worker& worker, const WorkPlan& plan) {
  if (plan.start > Duration::zero()) {
    co_await worker.env().sleep(plan.start);
  }
  worker.set_patience(plan.patience);
  co_await worker.env().point("start");
  switch (plan.kind) {
    case WorkloadKind::cycle:
      co_await run_cycle(worker, plan);
      break;
    case WorkloadKind::reentrant:
      co_await run_reentrant(worker, plan);
      break;
    case WorkloadKind::twice:
      co_await run_twice(worker, plan);
      break;
    case WorkloadKind::foreign:
      co_await run_foreign(worker, plan);
      break;
    case WorkloadKind::readers_writers:
      co_await run_readers_writers(worker, plan);
      break;
    case WorkloadKind::roles:
      co_await run_roles(worker, plan);
      break;
    case WorkloadKind::permits:
      co_await run_permits(worker, plan);
      break;
    case WorkloadKind::latch:
      co_await run_latch(worker, plan);
      break;
    case WorkloadKind::oversell:
      co_await run_oversell(worker, plan);
      break;
  }
  co_await worker.env().point("end");
}

}  // namespace holdfast
