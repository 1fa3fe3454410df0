#include "harness/run/client_process.h"

#include <algorithm>
#include <utility>

namespace holdfast {

void connect(StoreClients& stores, const LockEntry& lock, Servers& servers, Env& env,
             Duration command_timeout) {
  stores.reset(lock.needs.store);
  // A store without servers has one client of the host.
  const std::size_t count = std::max<std::size_t>(servers.count(), 1);
  for (std::size_t server = 0; server < count; ++server) {
    stores.add(servers.connect(env, server, command_timeout));
  }
}

ClientProcess::ThreadState::ThreadState(const ClientSetup& setup, ProcessId process, std::uint32_t number,
                                        const WorkPlan& its_plan, Lock* lock, Latch* latch)
    : plan(its_plan),
      env(setup.world->kernel, setup.world->steps, process, number),
      worker(*setup.shared, env, stores, lock, latch) {
  connect(stores, *setup.lock, setup.world->servers(), env, setup.command_timeout);
}

ClientProcess::ClientProcess(const ClientSetup& setup, ProcessId process, std::span<const WorkPlan> plans)
    : setup_(setup), process_(process), plans_(plans) {
  setup.world->kernel.listen(process, *this);
}

Lock* ClientProcess::make_lock() {
  const LockEntry& entry = *setup_.lock;
  std::unique_ptr<Lock> lock = entry.make != nullptr ? entry.make(setup_.settings) : nullptr;
  if (lock && entry.mutation != nullptr) {
    lock = entry.mutation->applied_to(std::move(lock));
  }
  return locks_.emplace_back(std::move(lock)).get();
}

void ClientProcess::make_latch() {
  const LockEntry& entry = *setup_.lock;
  latch_ = entry.make_latch != nullptr ? entry.make_latch(setup_.settings) : nullptr;
  if (latch_ && entry.mutation != nullptr) {
    latch_ = entry.mutation->applied_to(std::move(latch_), setup_.settings);
  }
}

void ClientProcess::start() {
  Lock* const shared_lock = make_lock();
  make_latch();
  for (std::size_t index = 0; index < plans_.size(); ++index) {
    Lock* const lock = plans_[index].own_object ? make_lock() : shared_lock;
    threads_.push_back(std::make_unique<ThreadState>(setup_, process_, static_cast<std::uint32_t>(index + 1),
                                                     plans_[index], lock, latch_.get()));
    ThreadState& thread = *threads_.back();
    if (is_restarted_) {
      thread.plan.start = Duration::zero();
    }
    setup_.world->kernel.spawn(process_, run_workload(thread.worker, thread.plan));
  }
}

void ClientProcess::on_crash() {
  setup_.shared->history->record({.type = EventType::died, .process = process_, .token = std::nullopt});
  setup_.world->servers().client_died(process_);
  threads_.clear();
  locks_.clear();
  latch_.reset();
}

void ClientProcess::on_restart() {
  setup_.shared->history->record({.type = EventType::restarted, .process = process_, .token = std::nullopt});
  is_restarted_ = true;
  start();
}

}  // namespace holdfast
