#include "harness/live/control/mirror.h"

#include <limits>
#include <utility>

namespace holdfast::live {

Mirror::Mirror()
    : world([](const Store& store, const ServersContext& context) {
        return store.make_servers(context, nullptr);
      }) {}

void Mirror::set_up(const Scaled& scaled, const LockEntry& lock, std::vector<FaultSpec> faults) {
  faults_ = std::move(faults);
  ttl_ = scaled.plan.ttl;
  world.set_up({.strategy = &random,
                .clients = names_of(scaled.plan.clients),
                .store = &store_called(lock.needs.store),
                .servers = &scaled.plan.servers,
                .latency = {}});
  world.kernel.hold_open();  // the run's end is the controller's to say
  nodes = world.servers().all_members();
}

void Mirror::arm(History& history, Duration wall, Duration monotonic) {
  Kernel& kernel = world.kernel;
  for (std::size_t index = 0; index < kernel.process_count(); ++index) {
    const auto process = static_cast<ProcessId>(index);
    kernel.jump_clock(process, ClockKind::wall, wall - kernel.read_clock(process, ClockKind::wall));
    kernel.jump_clock(process, ClockKind::monotonic,
                      monotonic - kernel.read_clock(process, ClockKind::monotonic));
  }
  fault_world_.emplace(FaultWorld{kernel, world.network, world.servers(), world.clients, world.storage});
  driver.reset(*fault_world_, history, ttl_, faults_);
  world.steps.observe(driver);
}

void Mirror::run_until(Duration now) {
  Kernel& kernel = world.kernel;
  kernel.advance_to(now);
  // The dead are buried after an event: let there be one.
  kernel.call_at(world_process, kernel.now(), [](void*, std::uint64_t) {}, nullptr, 0);
  kernel.run({kernel.now(), std::numeric_limits<std::uint64_t>::max()});
}

}  // namespace holdfast::live
