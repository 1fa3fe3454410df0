#include "harness/run/client_process.h"

#include <algorithm>

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
                                        Lock* lock, Latch* latch)
    : env(setup.world->kernel, setup.world->steps, process, number),
      worker(*setup.shared, env, stores, lock, latch) {
  connect(stores, *setup.lock, setup.world->servers(), env, setup.command_timeout);
}

ClientProcess::ClientProcess(const ClientSetup& setup, ProcessId process, std::vector<WorkPlan> plans)
    : setup_(setup), process_(process), plans_(std::move(plans)) {
  setup.world->kernel.listen(process, *this);
}

void ClientProcess::start() {
  const LockEntry& entry = *setup_.lock;
  lock_ = entry.make != nullptr ? entry.make(setup_.settings) : nullptr;
  latch_ = entry.make_latch != nullptr ? entry.make_latch(setup_.settings) : nullptr;
  for (std::size_t index = 0; index < plans_.size(); ++index) {
    threads_.push_back(std::make_unique<ThreadState>(setup_, process_, static_cast<std::uint32_t>(index + 1),
                                                     lock_.get(), latch_.get()));
    setup_.world->kernel.spawn(process_, run_workload(threads_.back()->worker, plans_[index]));
  }
}

void ClientProcess::on_crash() {
  setup_.shared->history->record({.type = EventType::died, .process = process_, .token = std::nullopt});
  setup_.world->servers().client_died(process_);
  threads_.clear();
  lock_.reset();
  latch_.reset();
}

void ClientProcess::on_restart() {
  setup_.shared->history->record({.type = EventType::restarted, .process = process_, .token = std::nullopt});
  for (WorkPlan& plan : plans_) {
    plan.start = Duration::zero();
  }
  start();
}

}  // namespace holdfast
