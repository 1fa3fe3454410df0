#include "harness/run/plan.h"

#include <algorithm>

namespace holdfast {
namespace {

// What a lease-relative duration means for a lock that never expires.
constexpr Duration nominal_ttl = 10s;

// A lock that only means anything within one process runs there, unless the scenario is about just that.
bool in_one_process(const Scenario& scenario, const LockEntry& lock) {
  return lock.needs.one_process && scenario.any_lock;
}

LockSettings settings_of(const Scenario& scenario, Duration ttl) {
  LockSettings settings;
  settings.ttl = ttl;
  settings.retry_interval = scenario.settings.retry_interval ? scenario.settings.retry_interval->resolve(ttl)
                                                             : settings.retry_interval;
  settings.retry_jitter =
      scenario.settings.retry_jitter ? scenario.settings.retry_jitter->resolve(ttl) : settings.retry_jitter;
  settings.wait_replicas = scenario.settings.wait_replicas.value_or(settings.wait_replicas);
  settings.permits = scenario.permits();
  settings.count = scenario.latch_count();
  return settings;
}

std::vector<ClientPlan> clients_of(const Scenario& scenario, const LockEntry& lock, Duration ttl) {
  std::vector<ClientPlan> clients;
  clients.reserve(scenario.clients.size());
  std::size_t number = 0;
  const std::optional<Duration> patience =
      scenario.workload.patience ? std::optional(scenario.workload.patience->resolve(ttl)) : std::nullopt;
  for (const ClientSpec& client : scenario.clients) {
    if (clients.empty() || !in_one_process(scenario, lock)) {
      clients.push_back({client.name, {}});
    }
    for (std::uint32_t thread = 0; thread < client.threads; ++thread) {
      clients.back().threads.push_back({.kind = workload_for(scenario.workload.kind, lock.kind),
                                        .client = number++,
                                        .clients = scenario.clients.size(),
                                        .role = client.role,
                                        .rounds = client.rounds.value_or(scenario.workload.rounds),
                                        .start = client.start.resolve(ttl),
                                        .work = client.work.value_or(scenario.workload.work).resolve(ttl),
                                        .pause = scenario.workload.pause.resolve(ttl),
                                        .ttl = ttl,
                                        .patience = patience,
                                        .reentrant = lock.features.reentrant,
                                        .own_object = scenario.workload.own_objects,
                                        .latch_count = scenario.latch_count()});
    }
  }
  return clients;
}

ServersPlan servers_of(const Scenario& scenario, const LockEntry& lock, Duration ttl) {
  ServersPlan servers{.servers = lock.needs.servers,
                      .replicas = lock.needs.replicas,
                      .options = scenario.topology.of(lock.needs.store),
                      .ttl = ttl};
  if (const Option* const replicas = store_called(lock.needs.store).replicas()) {
    servers.replicas = std::max(servers.replicas, static_cast<std::size_t>(servers.options.count(*replicas)));
  }
  return servers;
}

CheckContext context_of(const Scenario& scenario, const LockEntry& lock, WorkloadKind workload) {
  CheckContext context;
  context.reentrant = lock.features.reentrant;
  context.has_token = lock.features.token;
  context.fair = lock.features.fair;
  context.lease = lock.ttl > Duration::zero() ? ttl_of(scenario, lock) : Duration::zero();
  context.permits = lock.kind == LockKind::semaphore ? scenario.permits() : 1;
  context.latch_count = lock.kind == LockKind::latch ? scenario.latch_count() : 0;
  context.stock = workload == WorkloadKind::oversell ? scenario.workload.stock : -1;
  context.stranger_is_set = workload == WorkloadKind::foreign;
  return context;
}

}  // namespace

Duration ttl_of(const Scenario& scenario, const LockEntry& lock) {
  const Duration usual = lock.ttl > Duration::zero() ? lock.ttl : nominal_ttl;
  return scenario.settings.ttl ? scenario.settings.ttl->resolve(usual) : usual;
}

Duration grace_of(const LockSettings& settings, Duration command_timeout) {
  return command_timeout + 3 * (settings.retry_interval + settings.retry_jitter) + 100ms;
}

std::vector<std::string> names_of(const std::vector<ClientPlan>& clients) {
  std::vector<std::string> names;
  names.reserve(clients.size());
  for (const ClientPlan& client : clients) {
    names.push_back(client.name);
  }
  return names;
}

RunPlan make_plan(const Scenario& scenario, const LockEntry& lock) {
  RunPlan plan;
  plan.ttl = ttl_of(scenario, lock);
  plan.settings = settings_of(scenario, plan.ttl);
  plan.command_timeout = scenario.settings.command_timeout.resolve(plan.ttl);
  plan.time_limit = scenario.time_limit.resolve(plan.ttl);
  plan.checks_tokens = scenario.topology.token_checking == "on" ||
                       (scenario.topology.token_checking == "auto" && lock.features.token);
  plan.servers = servers_of(scenario, lock, plan.ttl);
  plan.workload = workload_for(scenario.workload.kind, lock.kind);
  plan.clients = clients_of(scenario, lock, plan.ttl);
  plan.context = context_of(scenario, lock, plan.workload);
  plan.context.grace = grace_of(plan.settings, plan.command_timeout);
  return plan;
}

}  // namespace holdfast
