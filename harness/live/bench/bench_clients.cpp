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
  RecordingClient(redis::Client& inner, std::vector<redis::Command>& commands)
      : inner_(inner), commands_(commands) {}

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

BenchClients::BenchClients(const BenchClientsSetup& setup) : calls_(kernel_, network_, steps_) {
  kernel_.reset(random_);
  kernel_.hold_open();  // a watchdog may outlive the rest
  process_ = kernel_.add_process("bench");
  for (std::size_t server = 0; server < setup.servers.size(); ++server) {
    servers_.push_back(kernel_.add_process("server"));
  }
  steps_.reset(kernel_.process_count());
  network_.reset(no_latency);
  calls_.reset();
  for (const Endpoint& server : setup.servers) {
    gateways_.push_back(std::make_unique<RedisGateway>(calls_, poller_, std::vector(setup.clients, server)));
  }
  for (std::uint32_t number = 1; number <= setup.clients; ++number) {
    add_client(setup, number);
  }
  time_ = std::make_unique<RealTime>(kernel_, process_, poller_);
  std::string problem;
  for (const std::unique_ptr<BenchClient>& client : clients_) {
    for (const std::unique_ptr<redis::Client>& connection : client->connections) {
      spawn(greet(*connection, problem));
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
  clients_.push_back(std::make_unique<BenchClient>(Env(kernel_, steps_, process_, number)));
  BenchClient& client = *clients_.back();
  for (std::size_t server = 0; server < servers_.size(); ++server) {
    client.connections.push_back(connect(setup, client.env, server));
    client.stores.redis.push_back(client.connections.back().get());
  }
  const LockSettings settings = settings_for(setup, number);
  client.lock = setup.lock.make != nullptr ? setup.lock.make(settings) : nullptr;
  client.latch = setup.lock.make_latch != nullptr ? setup.lock.make_latch(settings) : nullptr;
}

std::unique_ptr<redis::Client> BenchClients::connect(const BenchClientsSetup& setup, Env& env,
                                                     std::size_t server) {
  auto client =
      std::make_unique<LiveClient>(LiveClientSetup{env, calls_, servers_[server], *gateways_[server], poller_,
                                                   setup.servers[server], bench_command_timeout});
  if (setup.commands == nullptr) {
    return client;
  }
  recorded_.push_back(std::move(client));
  return std::make_unique<RecordingClient>(*recorded_.back(), *setup.commands);
}

bool BenchClients::run(Duration limit) {
  const Duration end = kernel_.now() + limit;
  // So that waiting for sockets ends with the time.
  kernel_.call_at(process_, end, [](void*, std::uint64_t) {}, nullptr, 0);
  while (true) {
    time_->run_due();
    if (kernel_.foreground_count() == 0 || kernel_.now() >= end) {
      return kernel_.foreground_count() == 0;
    }
    time_->wait();
  }
}

}  // namespace holdfast::live
