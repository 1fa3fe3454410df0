#include "harness/live/bench/bench_clients.h"

#include <utility>

#include "harness/machine/process/live_error.h"

namespace holdfast::live {
namespace {

// Long enough for a machine that is busy with something else: an error would spoil the measurement.
constexpr Duration bench_command_timeout = 5s;

// Notes what goes through it.
class RecordingClient final : public redis::Client {
 public:
  RecordingClient(std::unique_ptr<StoreClient> inner, std::vector<redis::Command>& commands)
      : owned_(std::move(inner)), inner_(static_cast<redis::Client&>(*owned_)), commands_(commands) {}

  Task<redis::Answer> execute(redis::Command command) override {
    commands_.push_back(command);
    return inner_.execute(std::move(command));
  }
  Task<redis::Answer> execute_within(redis::Command command, Duration timeout) override {
    commands_.push_back(command);
    return inner_.execute_within(std::move(command), timeout);
  }
  Task<redis::Answer> subscribe(std::string channel, Semaphore& arrivals) override {
    return inner_.subscribe(std::move(channel), arrivals);
  }
  Task<redis::Answer> unsubscribe(std::string channel, Semaphore& arrivals) override {
    return inner_.unsubscribe(std::move(channel), arrivals);
  }
  void forget(const Semaphore& arrivals) noexcept override { inner_.forget(arrivals); }

 private:
  std::unique_ptr<StoreClient> owned_;
  redis::Client& inner_;
  std::vector<redis::Command>& commands_;
};

// Connecting is not part of what is measured.
Task<> greet(redis::Client& client, std::string& problem) {
  const redis::Answer answer = co_await client.command("PING");
  if (answer.threw()) {
    problem = answer.problem();
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
        return store.reach_servers(context, poller_, std::vector(setup.clients, setup.servers));
      }) {
  plan_.servers = setup.servers.size();
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
  std::string problem;
  for (const std::unique_ptr<BenchClient>& client : clients_) {
    for (std::size_t server = 0; server < client->stores.count(); ++server) {
      spawn(greet(client->stores.get<redis::Client>(server), problem));
    }
  }
  if (!run(2 * bench_command_timeout) || !problem.empty()) {
    throw LiveError("the redis-server does not answer: " + (problem.empty() ? "no reply" : problem) + ".");
  }
  if (setup.commands != nullptr) {
    setup.commands->clear();  // the greetings
  }
}

void BenchClients::add_client(const BenchClientsSetup& setup, std::uint32_t number) {
  clients_.push_back(std::make_unique<BenchClient>(Env(world_.kernel, world_.steps, process(), number)));
  BenchClient& client = *clients_.back();
  client.stores.reset(setup.lock.needs.store);
  for (std::size_t server = 0; server < plan_.servers; ++server) {
    std::unique_ptr<StoreClient> connection =
        world_.servers().connect(client.env, server, bench_command_timeout);
    if (setup.commands != nullptr) {
      connection = std::make_unique<RecordingClient>(std::move(connection), *setup.commands);
    }
    client.stores.add(std::move(connection));
  }
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
