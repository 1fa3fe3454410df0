#include "harness/scenario/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "faults/driver.h"
#include "harness/check/checks.h"
#include "harness/explore/random_strategy.h"
#include "harness/scenario/client_process.h"
#include "harness/stores/redis/model/model_factory.h"

namespace holdfast {
namespace {

// What a lease-relative duration means for a lock that never expires.
constexpr Duration nominal_ttl = 10s;

Duration ttl_of(const Scenario& scenario, const LockEntry& lock) {
  const Duration usual = lock.ttl > Duration::zero() ? lock.ttl : nominal_ttl;
  return scenario.settings.ttl ? scenario.settings.ttl->resolve(usual) : usual;
}

// A lock that only means anything within one process runs there, unless the scenario is about just that.
bool in_one_process(const Scenario& scenario, const LockEntry& lock) {
  return lock.needs.one_process && scenario.any_lock;
}

}  // namespace

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
  World()
      : calls(kernel, network, steps),
        cluster(kernel, network, calls, factory),
        storage_calls(kernel, network, steps),
        storage(storage_calls) {}
  ~World() override { tear_down(); }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  RunReport run(const RunRequest& request);
  void set_up(const RunRequest& request);
  void add_clients(const RunRequest& request);
  void start_recording(const RunRequest& request);
  void choose_faults(const RunRequest& request);
  void tear_down();
  void on_step(const Step& step) override;
  void on_storage(const StorageCalls::Call& call, const StorageResponse& before,
                  const StorageResponse& after) override;

  // Frames refer to clients, clients to servers, messages to calls: what is declared later goes first.
  RandomStrategy random;
  Steps steps;
  History history;
  Kernel kernel;
  redis::ModelFactory factory;
  redis::RedisCalls calls;
  redis::Cluster cluster;
  StorageCalls storage_calls;
  Storage storage;
  Network network{kernel};
  files::Host host;
  Checks checks;
  FaultDriver driver;
  std::optional<FaultWorld> fault_world;
  std::vector<FaultSpec> faults;
  WorkShared shared;
  ClientSetup client_setup;
  std::vector<std::unique_ptr<ClientProcess>> clients;
  std::vector<ProcessId> client_processes;
  Duration ttl{0};
  bool checks_tokens = false;
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
  if (history.wants_details()) {
    history.record({.type = EventType::applied,
                    .process = step.client,
                    .thread = step.thread,
                    .server = step.server,
                    .token = std::nullopt},
                   fmt::format("{} → {}", step.call->request_text(), step.call->reply_text()));
  }
}

void Simulation::World::on_storage(const StorageCalls::Call& call, const StorageResponse& before,
                                   const StorageResponse& after) {
  const StorageRequest& request = call.request;
  const bool write = request.kind == StorageRequest::Kind::write;
  if (!write) {
    return;
  }
  history.record({.type = after.accepted ? EventType::stored : EventType::rejected,
                  .operation = Operation::write,
                  .process = call.client,
                  .thread = call.thread,
                  .server = call.server,
                  .session = request.session,
                  .token = request.token,
                  .value = request.value,
                  .version = request.based_on,
                  .found_version = before.version});
}

void Simulation::World::choose_faults(const RunRequest& request) {
  faults = request.scenario->faults;
  if (request.placement) {
    FaultSpec fault = request.scenario->sweep.at(request.placement->fault);
    fault.on = request.placement->process;
    fault.at.process = request.placement->process;
    fault.at.ordinal = request.placement->ordinal;
    faults.push_back(std::move(fault));
  }
}

void Simulation::World::add_clients(const RunRequest& request) {
  const Scenario& scenario = *request.scenario;
  const LockEntry& lock = *request.lock;
  const bool merged = in_one_process(scenario, lock);
  std::vector<std::vector<WorkPlan>> plans_by_process;
  client_processes.clear();
  std::size_t number = 0;
  for (const ClientSpec& client : scenario.clients) {
    if (plans_by_process.empty() || !merged) {
      client_processes.push_back(kernel.add_process(client.name));
      plans_by_process.emplace_back();
    }
    for (std::uint32_t thread = 0; thread < client.threads; ++thread) {
      plans_by_process.back().push_back({.kind = workload_for(scenario.workload.kind, lock.kind),
                                         .client = number++,
                                         .clients = scenario.clients.size(),
                                         .role = client.role,
                                         .rounds = client.rounds.value_or(scenario.workload.rounds),
                                         .start = client.start.resolve(ttl),
                                         .work = client.work.value_or(scenario.workload.work).resolve(ttl),
                                         .pause = scenario.workload.pause.resolve(ttl),
                                         .ttl = ttl,
                                         .reentrant = lock.features.reentrant,
                                         .latch_count = scenario.latch_count()});
    }
  }
  for (std::size_t index = 0; index < client_processes.size(); ++index) {
    clients.push_back(std::make_unique<ClientProcess>(client_setup, client_processes[index],
                                                      std::move(plans_by_process[index])));
  }
}

void Simulation::World::start_recording(const RunRequest& request) {
  const Scenario& scenario = *request.scenario;
  const LockEntry& lock = *request.lock;
  history.reset(kernel, request.details);
  const WorkloadKind workload = workload_for(scenario.workload.kind, lock.kind);
  CheckContext context;
  context.reentrant = lock.features.reentrant;
  context.has_token = lock.features.token;
  context.fair = lock.features.fair;
  context.permits = lock.kind == LockKind::semaphore ? scenario.permits() : 1;
  context.latch_count = lock.kind == LockKind::latch ? scenario.latch_count() : 0;
  context.stock = workload == WorkloadKind::oversell ? scenario.workload.stock : -1;
  const Duration retry = client_setup.settings.retry_interval + client_setup.settings.retry_jitter;
  context.grace = client_setup.command_timeout + 3 * retry + 100ms;
  if (workload == WorkloadKind::foreign) {
    context.stranger_is_set = true;
    context.stranger = client_processes.front();
  }
  checks.reset(context, scenario.properties, history);
  if (request.sink != nullptr) {
    history.add_sink(*request.sink);
  }
  storage.reset({.checks_tokens = checks_tokens, .initial_value = context.stock > 0 ? context.stock : 0},
                this);
}

void Simulation::World::set_up(const RunRequest& request) {
  const Scenario& scenario = *request.scenario;
  const LockEntry& lock = *request.lock;
  tear_down();
  random.reset(request.seed);
  kernel.reset(request.strategy != nullptr ? *request.strategy : random);
  ttl = ttl_of(scenario, lock);
  commands = 0;
  checks_tokens = scenario.topology.token_checking == "on" ||
                  (scenario.topology.token_checking == "auto" && lock.features.token);

  LockSettings settings;
  settings.ttl = ttl;
  settings.retry_interval = scenario.settings.retry_interval ? scenario.settings.retry_interval->resolve(ttl)
                                                             : settings.retry_interval;
  settings.retry_jitter =
      scenario.settings.retry_jitter ? scenario.settings.retry_jitter->resolve(ttl) : settings.retry_jitter;
  settings.wait_replicas = scenario.settings.wait_replicas.value_or(settings.wait_replicas);
  settings.permits = scenario.permits();
  settings.count = scenario.latch_count();
  client_setup = {&kernel,
                  &steps,
                  &cluster,
                  &host,
                  &shared,
                  &lock,
                  std::move(settings),
                  scenario.settings.command_timeout.resolve(ttl)};

  add_clients(request);
  cluster.add_processes({.servers = lock.needs.redis_servers,
                         .replicas = std::max(scenario.topology.replicas, lock.needs.replicas),
                         .append_only = scenario.topology.append_only,
                         .replication_lag = scenario.topology.replication_lag.resolve(ttl)});
  const ProcessId storage_process = kernel.add_process("storage");
  steps.reset(kernel.process_count());
  network.reset(scenario.topology.latency);
  calls.reset();
  storage_calls.reset();
  cluster.start();
  host.reset();

  shared = {&history, &storage_calls, &storage, storage_process, client_setup.command_timeout, 0, 0, false};
  start_recording(request);
  choose_faults(request);
  std::vector<ProcessId> servers;
  for (std::size_t server = 0; server < cluster.server_count(); ++server) {
    const std::vector<ProcessId> members = cluster.processes(server);
    servers.insert(servers.end(), members.begin(), members.end());
  }
  fault_world.emplace(
      FaultWorld{kernel, network, cluster, client_processes, std::move(servers), storage_process});
  driver.reset(*fault_world, history, ttl, faults);
  // What was executed is recorded before a fault strikes at the same step.
  steps.observe(*this);
  if (request.step_observer != nullptr) {
    steps.observe(*request.step_observer);
  }
  steps.observe(driver);
}

RunReport Simulation::World::run(const RunRequest& request) {
  set_up(request);
  for (const std::unique_ptr<ClientProcess>& client : clients) {
    client->start();
  }
  RunReport report;
  report.end = kernel.run({request.scenario->time_limit.resolve(ttl), request.scenario->event_limit});
  report.true_time = kernel.now();
  checks.finish(kernel.now(), report.end);
  report.letter = checks.letter(checks_tokens);
  report.events = kernel.event_count();
  report.fingerprint = kernel.fingerprint().value();
  report.faults_not_struck = driver.not_struck();
  report.longest_wait = checks.progress().longest_wait();
  report.grants = checks.progress().grants();
  report.commands = commands;
  if (request.explain) {
    report.verdicts = checks.verdicts(history);
  }
  return report;
}

Simulation::Simulation() : world_(std::make_unique<World>()) {}
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

std::vector<ProcessId> Simulation::processes() const {
  std::vector<ProcessId> result;
  for (std::size_t index = 1; index < world_->kernel.process_count(); ++index) {
    result.push_back(static_cast<ProcessId>(index));
  }
  return result;
}

}  // namespace holdfast
