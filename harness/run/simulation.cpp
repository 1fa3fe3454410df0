#include "harness/run/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "faults/catalog.h"
#include "faults/driver.h"
#include "harness/kernel/random_strategy.h"
#include "harness/machine/process/one_processor.h"
#include "harness/run/client_process.h"
#include "harness/run/plan.h"
#include "harness/run/recording.h"
#include "harness/run/replay.h"
#include "harness/run/standstill.h"
#include "harness/run/world.h"
#include "harness/stores/store.h"
#include "harness/text/bad_input.h"

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

namespace {

// Of a run that is not decided by its usual limit of events.
constexpr std::uint64_t most_times_the_usual_events = 20;
constexpr Duration slow_message = 200ms;

std::string why_not_struck(const FaultSpec& fault, const LockEntry& lock) {
  return fmt::format("{} strikes only servers of {}, and {} runs on {}", fault.fault,
                     find_fault(fault.fault)->store, lock.id, lock.needs.store);
}

}  // namespace

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
                                        [](const FaultSpec& fault) { return names_a_store(fault.on); });
  if ((only_servers || server_story) && lock.needs.servers == 0) {
    return fmt::format("{} uses no server", lock.id);
  }
  const auto suits_not = [&](const FaultSpec& fault) {
    return !suits(*find_fault(fault.fault), lock.needs.store);
  };
  if (const auto fault = std::ranges::find_if(scenario.faults, suits_not); fault != scenario.faults.end()) {
    return why_not_struck(*fault, lock);
  }
  if (!scenario.sweep.empty() && std::ranges::all_of(scenario.sweep, suits_not)) {
    return why_not_struck(scenario.sweep.front(), lock);
  }
  return {};
}

// Everything a run needs, kept from run to run.
struct Simulation::Parts final : StepObserver, StorageObserver {
  explicit Parts(RealServerSet* real_servers)
      : has_real_servers(real_servers != nullptr),
        world([real_servers](const Store& store, const ServersContext& context) {
          return store.make_servers(context, real_servers == nullptr ? nullptr : real_servers->of(store));
        }),
        storage(world.storage_calls) {}
  ~Parts() override { tear_down(); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  RunReport run(const RunRequest& request);
  RunEnd run_until_decided(const RunRequest& request);
  Duration settled() const;
  void slow_down();
  Inconclusive why_inconclusive(const RunReport& report) const;
  void set_up(const RunRequest& request);
  void add_clients();
  void start_recording(const RunRequest& request);
  void start_faults(const RunRequest& request);
  void tear_down();
  void on_step(const Step& step) override;
  void on_storage(const StorageCalls::Call& call, const StorageResponse& before,
                  const StorageResponse& after) override;

  bool has_real_servers;  // which take turns with us

  // Members are destroyed from the last to the first: clients before the world that their frames run in.
  RandomStrategy random;
  History history;
  World world;
  Storage storage;
  Checks checks;
  FaultDriver driver;
  FaultInjector injector;
  Standstill standstill;
  std::optional<FaultWorld> fault_world;
  std::vector<FaultSpec> faults;
  WorkShared shared;
  ClientSetup client_setup;
  std::vector<std::unique_ptr<ClientProcess>> clients;
  RunPlan own_plan;
  const RunPlan* plan = nullptr;
  std::uint64_t commands = 0;
  Duration slowed_by{0};
};

void Simulation::Parts::tear_down() {
  world.end();
  clients.clear();
  world.network.drop_everything();
}

void Simulation::Parts::on_step(const Step& step) {
  if (step.phase != Phase::applied || step.server == world.storage) {
    return;
  }
  ++commands;
  record_applied(history, step);
}

void Simulation::Parts::on_storage(const StorageCalls::Call& call, const StorageResponse& before,
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

void Simulation::Parts::add_clients() {
  for (std::size_t index = 0; index < world.clients.size(); ++index) {
    clients.push_back(
        std::make_unique<ClientProcess>(client_setup, world.clients[index], plan->clients[index].threads));
  }
}

void Simulation::Parts::start_recording(const RunRequest& request) {
  const Scenario& scenario = *request.scenario;
  history.reset(world.kernel, request.details);
  CheckContext context = plan->context;
  if (context.stranger_is_set) {
    context.stranger = world.clients.front();
  }
  checks.reset(context, scenario.properties, history);
  if (request.sink != nullptr) {
    history.add_sink(*request.sink);
  }
  storage.reset(
      {.checks_tokens = plan->checks_tokens, .initial_value = context.stock > 0 ? context.stock : 0}, this);
}

void Simulation::Parts::start_faults(const RunRequest& request) {
  faults = faults_of(*request.scenario, request.placement);
  for (const FaultSpec& fault : faults) {  // also where somebody placed it by hand
    if (!suits(*find_fault(fault.fault), request.lock->needs.store)) {
      throw BadInput(why_not_struck(fault, *request.lock));
    }
  }
  fault_world.emplace(FaultWorld{world.kernel, world.network, world.servers(), world.clients, world.storage});
  driver.reset(*fault_world, history, plan->ttl, faults,
               request.scope != nullptr ? request.scope->most_faults : 0);
  injector.reset(*fault_world, driver, request.scope);
  // What was executed is recorded before a fault strikes at the same step.
  world.steps.observe(*this);
  if (request.step_observer != nullptr) {
    world.steps.observe(*request.step_observer);
  }
  if (!faults.empty() || request.scope != nullptr) {
    world.steps.observe(driver);
  }
  if (request.scope != nullptr) {
    world.steps.observe(injector);
  }
}

void Simulation::Parts::set_up(const RunRequest& request) {
  const LockEntry& lock = *request.lock;
  tear_down();
  standstill.reset();
  random.reset(request.seed);
  plan = request.plan;
  if (plan == nullptr) {
    own_plan = make_plan(*request.scenario, lock);
    plan = &own_plan;
  }
  commands = 0;
  slowed_by = Duration::zero();
  world.set_up({.strategy = request.strategy != nullptr ? request.strategy : &random,
                .clients = names_of(plan->clients),
                .store = &store_called(lock.needs.store),
                .servers = &plan->servers,
                .latency = request.scenario->topology.latency,
                .reorders = request.scope != nullptr && request.scope->reorders});
  client_setup = {&world, &shared, &lock, plan->settings, plan->command_timeout};
  shared = {&history, &world.storage_calls, &storage, world.storage, plan->command_timeout, 0, 0, false};
  add_clients();
  start_recording(request);
  start_faults(request);
}

Inconclusive Simulation::Parts::why_inconclusive(const RunReport& report) const {
  if (!report.faults_not_struck.empty()) {
    return Inconclusive::fault_not_struck;
  }
  if (report.letter == Letter::undecided && report.end == RunEnd::finished) {
    return Inconclusive::nothing_checked;
  }
  const bool is_anybody_left = std::ranges::any_of(
      world.clients, [&](ProcessId client) { return world.kernel.process(client).alive; });
  return is_anybody_left ? Inconclusive::no : Inconclusive::nobody_left;
}

// Who spins asks so often that no time passes for all the events. With messages that take longer, as they
// may, the same goes on in fewer of them.
void Simulation::Parts::slow_down() {
  slowed_by = std::min<Duration>(slow_message, plan->command_timeout / 5);
  for (const ProcessId client : world.clients) {
    for (const ProcessId server : world.servers().all_members()) {
      world.network.add_latency(client, server, slowed_by);
      world.network.add_latency(server, client, slowed_by);
    }
  }
}

// When all that is under way now will have come, at the clients and at the servers.
Duration Simulation::Parts::settled() const {
  return std::max(world.kernel.last_due(), world.servers().last_due().value_or(Duration::zero()));
}

// A run that reaches its limits is not stuck for that: it goes on until somebody gets the lock, or it is
// proved that nobody will (RunEnd::repeats), or it has taken many times what is usual. Those few that need
// it: where the letter depends on nothing but progress.
RunEnd Simulation::Parts::run_until_decided(const RunRequest& request) {
  const RunLimits usual{plan->time_limit, request.scenario->event_limit};
  RunLimits limits{usual.true_time / 3, usual.events};
  while (true) {
    const RunEnd end = world.kernel.run(limits);
    if (end == RunEnd::finished || end == RunEnd::deadlock) {
      return end;
    }
    const bool is_over_time = end == RunEnd::time_limit && world.kernel.now() >= usual.true_time;
    if ((end == RunEnd::event_limit || is_over_time) && !checks.waits_for_progress(plan->checks_tokens)) {
      return end;
    }
    if (end == RunEnd::event_limit) {
      if (limits.events > usual.events) {
        return end;
      }
      limits.events = usual.events * most_times_the_usual_events;
      slow_down();
      continue;
    }
    if (!standstill.watches()) {
      world.steps.observe(standstill);
      standstill.begin(world.kernel, history, settled());
    } else if (world.kernel.now() >= standstill.window_end() &&
               standstill.end_window(world.kernel, history, settled()) && is_over_time) {
      return RunEnd::repeats;
    }
    // Two windows up to the usual limit, which stays the end of those that are decided by then.
    const Duration next = standstill.window_end();
    const bool is_first = world.kernel.now() < 2 * usual.true_time / 3;
    limits.true_time =
        is_over_time
            ? next
            : std::min(usual.true_time, std::max(next, is_first ? 2 * usual.true_time / 3 : usual.true_time));
  }
}

RunReport Simulation::Parts::run(const RunRequest& request) {
  set_up(request);
  for (const std::unique_ptr<ClientProcess>& client : clients) {
    client->start();
  }
  RunReport report;
  report.end = run_until_decided(request);
  report.true_time = world.kernel.now();
  judge(report, checks, plan->checks_tokens);
  report.events = world.kernel.event_count();
  report.fingerprint = world.kernel.fingerprint().value();
  report.faults_not_struck = driver.not_struck();
  report.inconclusive = why_inconclusive(report);
  report.slowed_by = slowed_by;
  report.commands = commands;
  report.marks = world.kernel.marks();
  if (request.explain) {
    report.verdicts = checks.verdicts(history);
  }
  return report;
}

Simulation::Simulation(RealServerSet* real) : parts_(std::make_unique<Parts>(real)) {}
Simulation::~Simulation() = default;

RunReport Simulation::run(const RunRequest& request) {
  require(request.scenario != nullptr && request.lock != nullptr, "a run is one of a scenario and a lock");
  const RunReplay replay(request, parts_->has_real_servers);
  const ReplayScope scope(replay);
  std::optional<live::StaysOnProcessor> stays;
  if (parts_->has_real_servers) {
    stays.emplace();
  }
  return parts_->run(request);
}
const History& Simulation::history() const {
  return parts_->history;
}
const Choices& Simulation::choices() const {
  return parts_->world.kernel.choices();
}
std::vector<Duration> Simulation::leases() const {
  return parts_->world.servers().leases();
}
const Kernel& Simulation::kernel() const {
  return parts_->world.kernel;
}

const std::vector<InjectedFault>& Simulation::injected() const {
  return parts_->injector.injected();
}

std::uint64_t Simulation::fault_questions() const {
  return parts_->injector.questions();
}

std::vector<ProcessId> Simulation::processes() const {
  std::vector<ProcessId> result;
  for (std::size_t index = 1; index < parts_->world.kernel.process_count(); ++index) {
    result.push_back(static_cast<ProcessId>(index));
  }
  return result;
}

}  // namespace holdfast
