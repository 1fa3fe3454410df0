#include "harness/run/client_process.h"

namespace holdfast {

ClientProcess::ThreadState::ThreadState(const ClientSetup& setup, ProcessId process, std::uint32_t number,
                                        Lock* lock, Latch* latch)
    : env(*setup.kernel, *setup.steps, process, number),
      files(env, *setup.host),
      worker(*setup.shared, env, stores, lock, latch) {
  for (std::size_t server = 0; server < setup.cluster->server_count(); ++server) {
    redis.push_back(
        std::make_unique<redis::NetworkClient>(env, *setup.cluster, server, setup.command_timeout));
    stores.redis.push_back(redis.back().get());
  }
  stores.files = &files;
}

ClientProcess::ClientProcess(const ClientSetup& setup, ProcessId process, std::vector<WorkPlan> plans)
    : setup_(setup), process_(process), plans_(std::move(plans)) {
  setup.kernel->listen(process, *this);
}

void ClientProcess::start() {
  const LockEntry& entry = *setup_.lock;
  lock_ = entry.make != nullptr ? entry.make(setup_.settings) : nullptr;
  latch_ = entry.make_latch != nullptr ? entry.make_latch(setup_.settings) : nullptr;
  for (std::size_t index = 0; index < plans_.size(); ++index) {
    threads_.push_back(std::make_unique<ThreadState>(setup_, process_, static_cast<std::uint32_t>(index + 1),
                                                     lock_.get(), latch_.get()));
    setup_.kernel->spawn(process_, run_workload(threads_.back()->worker, plans_[index]));
  }
}

void ClientProcess::on_crash() {
  setup_.shared->history->record({.type = EventType::died, .process = process_, .token = std::nullopt});
  setup_.host->process_died(process_);
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
