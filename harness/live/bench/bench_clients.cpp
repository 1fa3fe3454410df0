#include "harness/live/bench/bench_clients.h"

#include <utility>

#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace {

// Long enough for a machine that is busy with something else: an error would spoil the measurement.
constexpr Duration bench_command_timeout = 5s;

Task<> greet(BenchServers& servers, StoreClient& client, std::string& problem) {
  const std::string said = co_await servers.greet(client);
  if (!said.empty()) {
    problem = said;
  }
}

LockSettings settings_for(const BenchClientsSetup& setup, std::uint32_t number) {
  LockSettings settings;
  settings.key = bench_key(setup.contended ? 1 : number);
  if (setup.lock.ttl > Duration::zero()) {
    settings.ttl = setup.lock.ttl;
  }
  return settings;
}

}  // namespace

std::string bench_key(std::size_t client) {
  return "holdfast-bench-" + std::to_string(client);
}

BenchClients::BenchClients(const BenchClientsSetup& setup)
    : world_([this, &setup](const Store& store, const ServersContext& context) {
        return store.reach_servers(context, poller_, setup.servers.reach(setup.clients));
      }) {
  plan_.servers = setup.lock.needs.servers;
  world_.set_up({.strategy = &random_,
                 .clients = {"bench"},
                 .store = &store_called(setup.lock.needs.store),
                 .servers = &plan_,
                 .latency = no_latency});
  world_.kernel.hold_open();  // a watchdog may outlive the rest
  for (std::uint32_t number = 1; number <= setup.clients; ++number) {
    add_client(setup, number);
  }
  time_ = std::make_unique<RealTime>(world_.kernel, process(), poller_);
  connect(setup);
}

// Connecting is not part of what is measured.
void BenchClients::connect(const BenchClientsSetup& setup) {
  std::vector<std::vector<std::unique_ptr<StoreClient>>> connections(clients_.size());
  std::string problem;
  for (std::size_t number = 0; number < clients_.size(); ++number) {
    for (std::size_t server = 0; server < plan_.servers; ++server) {
      connections[number].push_back(
          world_.servers().connect(clients_[number]->env, server, bench_command_timeout));
      spawn(greet(setup.servers, *connections[number].back(), problem));
    }
  }
  if (!run(2 * bench_command_timeout) || !problem.empty()) {
    stop();  // what was spawned refers to what is about to go
    throw LiveError(setup.servers.name() + " does not answer: " + (problem.empty() ? "no reply" : problem) +
                    ".");
  }
  Yardstick* const yardstick = setup.is_heard ? setup.servers.yardstick() : nullptr;
  for (std::size_t number = 0; number < clients_.size(); ++number) {
    for (std::unique_ptr<StoreClient>& connection : connections[number]) {
      clients_[number]->stores.add(yardstick != nullptr ? yardstick->listen(std::move(connection))
                                                        : std::move(connection));
    }
  }
}

void BenchClients::add_client(const BenchClientsSetup& setup, std::uint32_t number) {
  clients_.push_back(std::make_unique<BenchClient>(Env(world_.kernel, world_.steps, process(), number)));
  BenchClient& client = *clients_.back();
  client.stores.reset(setup.lock.needs.store);
  const LockSettings settings = settings_for(setup, number);
  client.lock = setup.lock.make != nullptr ? setup.lock.make(settings) : nullptr;
  client.latch = setup.lock.make_latch != nullptr ? setup.lock.make_latch(settings) : nullptr;
}

bool BenchClients::run(Duration limit) {
  const Duration end = world_.kernel.now() + limit;
  // So that waiting for sockets ends with the time.
  world_.kernel.call_at(process(), end, [](void*, std::uint64_t) {}, nullptr, 0);
  while (true) {
    time_->run_due();
    if (world_.kernel.foreground_count() == 0 || world_.kernel.now() >= end) {
      return world_.kernel.foreground_count() == 0;
    }
    time_->wait();
  }
}

}  // namespace holdfast::live
