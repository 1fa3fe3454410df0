#include "harness/run/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "faults/driver.h"
#include "harness/kernel/random_strategy.h"
#include "harness/run/client_process.h"
#include "harness/run/plan.h"
#include "harness/run/recording.h"
#include "harness/stores/redis/model/model_factory.h"

namespace holdfast {
std::string to_text(const Placement& placement) {
  return fmt::format("{}@{}:{}", placement.fault + 1, placement.process, placement.ordinal);
}

std::optional<Placement> placement_from(std::string_view text) {
  const std::size_t at = text.find('@');
  const std::size_t colon = text.rfind(':');
  if (at == std::string_view::npos || colon == std::string_view::npos || colon < at) {
    return std::nullopt;
  }
  const auto number = [](std::string_view digits, auto& value) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() && value > 0;
  };
  Placement placement;
  const bool valid =
      number(text.substr(0, at), placement.fault) && number(text.substr(colon + 1), placement.ordinal);
  if (!valid) {
    return std::nullopt;
  }
  --placement.fault;
  placement.process = std::string(text.substr(at + 1, colon - at - 1));
  return placement;
}

std::string why_not_applicable(const Scenario& scenario, const LockEntry& lock) {
  const WorkloadKind workload = workload_for(scenario.workload.kind, lock.kind);
  if (!can_do(workload, lock.kind)) {
    return fmt::format("{} cannot do the workload \"{}\"", lock.id, scenario.workload.kind);
  }
  if (workload == WorkloadKind::foreign && lock.needs.one_process) {
    return fmt::format("{} knows no stranger: it lives in one process", lock.id);
  }
  const auto strikes_servers = [](const FaultSpec& fault) { return fault.on == "servers"; };
  const bool only_servers =
      !scenario.sweep.empty() && std::all_of(scenario.sweep.begin(), scenario.sweep.end(), strikes_servers);
  const bool server_story = std::any_of(scenario.faults.begin(), scenario.faults.end(),
                                        [](const FaultSpec& fault) { return fault.on.starts_with("redis"); });
  if ((only_servers || server_story) && lock.needs.redis_servers == 0) {
    return fmt::format("{} uses no server", lock.id);
  }
  return {};
}

// Everything a run needs, kept from run to run.
struct Simulation::World final : StepObserver, StorageObserver {
  explicit World(redis::BackendFactory* servers)
      : calls(kernel, network, steps),
        cluster(kernel, network, calls, servers != nullptr ? *servers : models),
        storage_calls(kernel, network, steps),
        storage(storage_calls) {}
  ~World() override { tear_down(); }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  RunReport run(const RunRequest& request);
  void set_up(const RunRequest& request);
  void add_clients();
  void start_recording(const RunRequest& request);
  void tear_down();
  void on_step(const Step& step) override;
  void on_storage(const StorageCalls::Call& call, const StorageResponse& before,
                  const StorageResponse& after) override;

  // In this order, because members are destroyed from the last to the first: frames before the clients they
  // refer to, clients before servers, messages before calls.
  RandomStrategy random;
  Steps steps;
  History history;
  Kernel kernel;
  redis::ModelFactory models;
  redis::RedisCalls calls;
  redis::Cluster cluster;
  StorageCalls storage_calls;
  Storage storage;
  Network network{kernel};
  files::Host host;
  Checks checks;
  FaultDriver driver;
  FaultInjector injector;
  std::optional<FaultWorld> fault_world;
  std::vector<FaultSpec> faults;
  WorkShared shared;
  ClientSetup client_setup;
  std::vector<std::unique_ptr<ClientProcess>> clients;
  std::vector<ProcessId> client_processes;
  RunPlan plan;
  std::uint64_t commands = 0;
};

void Simulation::World::tear_down() {
  kernel.stop();
  clients.clear();
  network.drop_everything();
}

void Simulation::World::on_step(const Step& step) {
  if (step.phase != Phase::applied || step.server == shared.storage_process) {
    return;
  }
  ++commands;
  record_applied(history, step);
}

void Simulation::World::on_storage(const StorageCalls::Call& call, const StorageResponse& before,
                                   const StorageResponse& after) {
  if (call.request.kind == StorageRequest::Kind::write) {
    record_stored(history, {.client = call.client,
                            .thread = call.thread,
                            .server = call.server,
                            .request = call.request,
                            .is_accepted = after.accepted,
                            .found_version = before.version});
  }
}

void Simulation::World::add_clients() {
  client_processes.clear();
  for (const ClientPlan& client : plan.clients) {
    client_processes.push_back(kernel.add_process(client.name));
  }
  for (std::size_t index = 0; index < client_processes.size(); ++index) {
    clients.push_back(std::make_unique<ClientProcess>(client_setup, client_processes[index],
                                                      std::move(plan.clients[index].threads)));
  }
}

void Simulation::World::start_recording(const RunRequest& request) {
  const Scenario& scenario = *request.scenario;
  history.reset(kernel, request.details);
  CheckContext& context = plan.context;
  if (context.stranger_is_set) {
    context.stranger = client_processes.front();
  }
  checks.reset(context, scenario.properties, history);
  if (request.sink != nullptr) {
    history.add_sink(*request.sink);
  }
  storage.reset({.checks_tokens = plan.checks_tokens, .initial_value = context.stock > 0 ? context.stock : 0},
                this);
}

void Simulation::World::set_up(const RunRequest& request) {
  const Scenario& scenario = *request.scenario;
  const LockEntry& lock = *request.lock;
  tear_down();
  random.reset(request.seed);
  kernel.reset(request.strategy != nullptr ? *request.strategy : random);
  plan = make_plan(scenario, lock);
  commands = 0;
  client_setup = {&kernel, &steps, &cluster, &host, &shared, &lock, plan.settings, plan.command_timeout};

  add_clients();
  cluster.add_processes({.servers = lock.needs.redis_servers,
                         .replicas = plan.replicas,
                         .append_only = scenario.topology.append_only,
                         .replication_lag = scenario.topology.replication_lag.resolve(plan.ttl)});
  const ProcessId storage_process = kernel.add_process("storage");
  steps.reset(kernel.process_count());
  network.reset(scenario.topology.latency, request.scope != nullptr && request.scope->reorders);
  calls.reset();
  storage_calls.reset();
  cluster.start();
  host.reset();

  shared = {&history, &storage_calls, &storage, storage_process, client_setup.command_timeout, 0, 0, false};
  start_recording(request);
  faults = faults_of(scenario, request.placement);
  std::vector<ProcessId> servers;
  for (std::size_t server = 0; server < cluster.server_count(); ++server) {
    const std::vector<ProcessId> members = cluster.processes(server);
    servers.insert(servers.end(), members.begin(), members.end());
  }
  fault_world.emplace(
      FaultWorld{kernel, network, cluster, client_processes, std::move(servers), storage_process});
  driver.reset(*fault_world, history, plan.ttl, faults,
               request.scope != nullptr ? request.scope->most_faults : 0);
  injector.reset(*fault_world, driver, request.scope);
  // What was executed is recorded before a fault strikes at the same step.
  steps.observe(*this);
  if (request.step_observer != nullptr) {
    steps.observe(*request.step_observer);
  }
  steps.observe(driver);
  if (request.scope != nullptr) {
    steps.observe(injector);
  }
}

RunReport Simulation::World::run(const RunRequest& request) {
  set_up(request);
  for (const std::unique_ptr<ClientProcess>& client : clients) {
    client->start();
  }
  RunReport report;
  report.end = kernel.run({plan.time_limit, request.scenario->event_limit});
  report.true_time = kernel.now();
  judge(report, checks, plan.checks_tokens);
  report.events = kernel.event_count();
  report.fingerprint = kernel.fingerprint().value();
  report.faults_not_struck = driver.not_struck();
  report.commands = commands;
  report.marks = kernel.marks();
  if (request.explain) {
    report.verdicts = checks.verdicts(history);
  }
  return report;
}

Simulation::Simulation(redis::BackendFactory* servers) : world_(std::make_unique<World>(servers)) {}
Simulation::~Simulation() = default;

RunReport Simulation::run(const RunRequest& request) {
  return world_->run(request);
}
const History& Simulation::history() const {
  return world_->history;
}
const Choices& Simulation::choices() const {
  return world_->kernel.choices();
}
const Kernel& Simulation::kernel() const {
  return world_->kernel;
}

const std::vector<InjectedFault>& Simulation::injected() const {
  return world_->injector.injected();
}

std::uint64_t Simulation::fault_questions() const {
  return world_->injector.questions();
}

std::vector<ProcessId> Simulation::processes() const {
  std::vector<ProcessId> result;
  for (std::size_t index = 1; index < world_->kernel.process_count(); ++index) {
    result.push_back(static_cast<ProcessId>(index));
  }
  return result;
}

}  // namespace holdfast
