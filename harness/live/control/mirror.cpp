#include "harness/live/control/mirror.h"

#include <limits>
#include <utility>

namespace holdfast::live {

Mirror::Mirror() : calls(kernel, network, steps), cluster(kernel, network, calls, models) {}

void Mirror::set_up(const Scaled& scaled, const LockEntry& lock, std::vector<FaultSpec> faults) {
  faults_ = std::move(faults);
  ttl_ = scaled.plan.ttl;
  kernel.reset(random);
  kernel.hold_open();  // the run's end is the controller's to say
  for (const ClientPlan& client : scaled.plan.clients) {
    clients.push_back(kernel.add_process(client.name));
  }
  cluster.add_processes({.servers = lock.needs.redis_servers,
                         .replicas = scaled.plan.replicas,
                         .append_only = scaled.scenario.topology.append_only,
                         .replication_lag = scaled.scenario.topology.replication_lag.resolve(ttl_)});
  storage = kernel.add_process("storage");
  steps.reset(kernel.process_count());
  network.reset({});
  calls.reset();
  cluster.start();
  for (std::size_t server = 0; server < cluster.server_count(); ++server) {
    const std::vector<ProcessId> members = cluster.processes(server);
    nodes.insert(nodes.end(), members.begin(), members.end());
  }
}

void Mirror::arm(History& history, Duration wall, Duration monotonic) {
  for (std::size_t index = 0; index < kernel.process_count(); ++index) {
    const auto process = static_cast<ProcessId>(index);
    kernel.jump_clock(process, ClockKind::wall, wall - kernel.read_clock(process, ClockKind::wall));
    kernel.jump_clock(process, ClockKind::monotonic,
                      monotonic - kernel.read_clock(process, ClockKind::monotonic));
  }
  world_.emplace(FaultWorld{kernel, network, cluster, clients, nodes, storage});
  driver.reset(*world_, history, ttl_, faults_);
  steps.observe(driver);
}

void Mirror::run_until(Duration now) {
  kernel.advance_to(now);
  // The dead are buried after an event: let there be one.
  kernel.call_at(world_process, kernel.now(), [](void*, std::uint64_t) {}, nullptr, 0);
  kernel.run({kernel.now(), std::numeric_limits<std::uint64_t>::max()});
}

}  // namespace holdfast::live
