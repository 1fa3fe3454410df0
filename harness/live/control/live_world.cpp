#include "harness/live/control/live_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/kernel/require.h"
#include "harness/run/recording.h"
#include "harness/stores/storage/storage_wire.h"
#include "harness/stores/store.h"

namespace holdfast::live {
namespace {

using boost::asio::ip::tcp;
using Json = nlohmann::ordered_json;
using RealClock = std::chrono::steady_clock;

constexpr Duration patience_with_pings = 3s;  // until one that may hang has answered
constexpr Duration patience_with_who_starts_first = 500ms;
constexpr Duration longest_turn = 20ms;
constexpr Duration turn_while_clocks_move = 2ms;
constexpr Duration astray = 1h;
// No client comes to so many sessions or writes.
constexpr std::uint32_t numbers_of_a_process = 10'000;

bool watches(const FaultSpec& fault, const std::string& process) {
  const auto names = [&](const StepSelector& selector) {
    return !selector.time && selector.process == process;
  };
  return names(fault.at) || (fault.until && names(*fault.until));
}

Duration since_epoch() {
  return std::chrono::duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch());
}

}  // namespace

LiveWorld::LiveWorld(const LiveRequest& its_request)
    : request(its_request),
      pace(pace_of(request)),
      scaled(scale(*request.scenario, *request.lock, pace.speed_up)) {
  faults = faults_of(scaled.scenario, request.placement);
  moves_clocks = std::any_of(faults.begin(), faults.end(),
                             [](const FaultSpec& fault) { return fault.fault.starts_with("clock-"); });
  if (request.client_command.empty()) {
    request.client_command = {"/proc/self/exe", "live-client"};
  }
}

void LiveWorld::shut_down() {
  clients.clear();
  doors.clear();
  storage.reset();
  servers.reset();
  user_servers.reset();
  nodes.clear();
  directory.reset();
}

RunReport LiveWorld::run() {
  mirror.set_up(scaled, *request.lock, faults);
  start_recording();
  directory.emplace();
  start_servers();
  for (std::size_t number = 0; number < mirror.clients().size(); ++number) {
    clients.push_back(std::make_unique<Client>(*this, mirror.clients()[number], number));
    mirror.world.kernel.listen(mirror.clients()[number], *clients.back());
    open_doors(*clients.back());
    launch(*clients.back());
  }
  start_together();

  RunReport report;
  report.end = wait_for_end();
  report.true_time = mirror.world.kernel.now();
  shut_down();
  judge(report, checks, scaled.plan.checks_tokens);
  report.events = history.events().size();
  report.fingerprint = mirror.world.kernel.fingerprint().value();
  report.faults_not_struck = mirror.driver.not_struck();
  if (!report.faults_not_struck.empty()) {
    report.inconclusive = Inconclusive::fault_not_struck;
  }
  report.commands = commands;
  if (request.explain) {
    report.verdicts = checks.verdicts(history);
  }
  return report;
}

void LiveWorld::start_recording() {
  history.reset(mirror.world.kernel, request.details);
  if (scaled.plan.context.stranger_is_set) {
    scaled.plan.context.stranger = mirror.clients().front();
  }
  checks.reset(scaled.plan.context, scaled.scenario.properties, history);
  if (request.sink != nullptr) {
    history.add_sink(*request.sink);
  }
  history.add_sink(*this);
  mirror.world.network.listen(*this);
  mirror.world.steps.observe(*this);
}

void LiveWorld::start_servers() {
  const std::int64_t stock = scaled.plan.context.stock;
  storage = std::make_unique<StorageService>(
      context,
      StorageOptions{.checks_tokens = scaled.plan.checks_tokens, .initial_value = stock > 0 ? stock : 0},
      [this](std::size_t door, const StorageRequest& asked, const StorageRegister::Decision& decision) {
        on_stored(doors[door]->owner(), asked, decision);
      });
  if (!request.endpoints.empty()) {
    user_servers = store_called(request.lock->needs.store).attach(request.endpoints, request.password);
    scaled.plan.settings.key = user_servers->mark() + scaled.plan.settings.key;
    servers_text = user_servers->name();
    return;
  }
  start_own_servers();
}

void LiveWorld::start_own_servers() {
  servers = store_called(request.lock->needs.store)
                .start_live({.context = context,
                             .plan = scaled.plan.servers,
                             .directory = directory->path(),
                             .moves_clocks = moves_clocks,
                             .programs = request.programs,
                             .fails_over_by_itself = request.own_failover});
  if (servers != nullptr) {
    servers_text = servers->name();
  }
  for (std::size_t number = 0; number < mirror.nodes.size(); ++number) {
    nodes.push_back(std::make_unique<Node>(*this, number));
    mirror.world.kernel.listen(mirror.nodes[number], *nodes.back());
  }
}

TargetServers& LiveWorld::targets() {
  require(user_servers != nullptr || servers != nullptr, "a lock that has servers was given some");
  return user_servers != nullptr ? static_cast<TargetServers&>(*user_servers) : *servers;
}

std::string LiveWorld::name_of_server(int server) const {
  if (user_servers == nullptr) {
    return fmt::format("{} server {}", request.lock->needs.store, server + 1);
  }
  const tcp::endpoint endpoint = user_servers->target(static_cast<std::size_t>(server)).value();
  return fmt::format("the server at {}:{}", endpoint.address().to_string(), endpoint.port());
}

void LiveWorld::open_doors(Client& client) {
  const auto server_count = static_cast<int>(request.lock->needs.servers);
  const std::size_t threads = scaled.plan.clients[client.number].threads.size();
  for (std::uint32_t thread = 1; thread <= threads; ++thread) {
    for (int server = 0; server < server_count; ++server) {
      doors.push_back(std::make_unique<Door>(
          context,
          DoorOptions{
              .owner = {doors.size(), client.process, thread, server},
              .server_name = name_of_server(server),
              .make_wire = [this] { return targets().make_wire(); },
              .target = [this, server] { return targets().target(static_cast<std::size_t>(server)); }},
          *this));
      client.doors.push_back(doors.back().get());
    }
    doors.push_back(std::make_unique<Door>(
        context,
        DoorOptions{.owner = {doors.size(), client.process, thread, storage_server},
                    .server_name = "storage",
                    .make_wire = [] { return std::make_unique<StorageWire>(); },
                    .target =
                        [port = storage->listen(doors.size())] {
                          return tcp::endpoint(boost::asio::ip::address_v4::loopback(), port);
                        }},
        *this));
    client.doors.push_back(doors.back().get());
  }
}

SetupMessage LiveWorld::setup_of(const Client& client) const {
  const ClientPlan& plan = scaled.plan.clients[client.number];
  SetupMessage setup;
  setup.process = client.lives == 1 ? plan.name : fmt::format("{}#{}", plan.name, client.lives);
  setup.seed = request.seed;
  const auto number = static_cast<std::uint32_t>(client.number + (client.lives - 1) * clients.size());
  setup.first_number = number * numbers_of_a_process;
  setup.lock = std::string(request.lock->id);
  setup.settings = scaled.plan.settings;
  setup.command_timeout = scaled.plan.command_timeout;
  setup.reports_steps = client.reports_steps;
  setup.files = directory->path().string();
  auto door = client.doors.begin();
  for (const WorkPlan& work : plan.threads) {
    ThreadSetup thread{work, {}, {}};
    thread.plan.start = client.lives > 1 ? Duration::zero() : work.start - start_of(client);
    for (; (*door)->owner().server != storage_server; ++door) {
      thread.servers.push_back({"127.0.0.1", (*door)->port()});
    }
    thread.storage = {"127.0.0.1", (*door)->port()};
    ++door;
    setup.threads.push_back(std::move(thread));
  }
  return setup;
}

// A client that does not follow its page would say the same as one that does while the page shows real time.
void LiveWorld::lead_astray(Client& client) const {
  const Duration wall = mirror.clock_offset(client.process, ClockKind::wall) - astray;
  client.page->set_offsets(wall.count(), mirror.clock_offset(client.process, ClockKind::monotonic).count());
  client.wall_at_launch_ns = client.page->wall_ns();
}

void LiveWorld::launch(Client& client) {
  const std::string& name = scaled.plan.clients[client.number].name;
  ++client.lives;
  client.is_prepared = false;
  client.is_done = false;
  client.is_paused = false;
  client.reports_steps =
      std::any_of(faults.begin(), faults.end(), [&](const FaultSpec& fault) { return watches(fault, name); });
  const SetupMessage setup = setup_of(client);
  LiveProcessOptions options;
  options.name = setup.process;
  options.command = request.client_command;
  options.errors = directory->path() / (setup.process + ".errors");
  options.heard = [this, &client](const Json& message) { hear(client, message); };
  if (moves_clocks) {
    if (client.page == nullptr) {
      client.page = std::make_unique<ClockPage>(directory->path() / (name + ".clock"));
      client.launch =
          std::make_unique<VerifiedLaunch>(*client.page, directory->path(), request.client_command);
    }
    options.clock = client.launch.get();
    lead_astray(client);
  }
  client.program = std::make_unique<LiveProcess>(context, std::move(options));
  client.program->send(to_json(setup));
}

void LiveWorld::start_together() {
  const RealClock::time_point deadline = RealClock::now() + request.patience_at_start;
  const auto prepared = [](const std::unique_ptr<Client>& client) { return client->is_prepared; };
  while (!std::all_of(clients.begin(), clients.end(), prepared)) {
    context.run_one_until(deadline);
    if (RealClock::now() > deadline) {
      const auto late = std::find_if_not(clients.begin(), clients.end(), prepared);
      throw LiveError(fmt::format("{} does not answer its setup: \"{}\" is no client of holdfast.",
                                  mirror.world.kernel.process((*late)->process).name,
                                  fmt::join(request.client_command, " ")));
    }
  }
  started_at = RealClock::now();
  is_running = true;
  mirror.arm(history, since_epoch(), started_at.time_since_epoch());
  turn();
}

void LiveWorld::turn() {
  mirror.run_until(now());
  follow_mirror();
  start_due();
}

Duration LiveWorld::start_of(const Client& client) const {
  const std::vector<WorkPlan>& threads = scaled.plan.clients[client.number].threads;
  return std::min_element(threads.begin(), threads.end(),
                          [](const WorkPlan& one, const WorkPlan& other) { return one.start < other.start; })
      ->start;
}

// A story that lets one client start after another means that it comes to the lock after it. A machine with
// too much to do would turn that round, so whoever is due waits until all before it have begun.
void LiveWorld::start_due() {
  for (const std::unique_ptr<Client>& client : clients) {
    const Duration start = start_of(*client);
    const auto is_in_the_way = [&](const std::unique_ptr<Client>& other) {
      return !other->has_begun && !other->is_paused && start_of(*other) < start;
    };
    const bool waits = now() < start || (now() < start + patience_with_who_starts_first &&
                                         std::any_of(clients.begin(), clients.end(), is_in_the_way));
    if (!client->is_started && client->program != nullptr && !waits) {
      client->is_started = true;
      client->program->send({{"type", "start"}});
    }
  }
}

void LiveWorld::schedule_turn() {
  const Duration longest = moves_clocks ? turn_while_clocks_move : longest_turn;
  Duration due = mirror.world.kernel.next_due();
  for (const std::unique_ptr<Client>& client : clients) {
    if (const Duration start = start_of(*client); start > now()) {
      due = std::min(due, start);
    }
  }
  const Duration until_due = due - now();
  timer.expires_after(std::clamp(until_due, Duration::zero(), longest));
  timer.async_wait([this](const boost::system::error_code& problem) {
    if (!problem) {
      turn();
      require_servers();
      schedule_turn();
    }
  });
}

bool LiveWorld::is_over() const {
  return mirror.is_settled() && std::all_of(clients.begin(), clients.end(), [&](const auto& client) {
           return client->is_done || !mirror.world.kernel.process(client->process).alive;
         });
}

RunEnd LiveWorld::wait_for_end() {
  schedule_turn();
  while (!is_over()) {
    context.run_one();
    if (mirror.world.kernel.now() >= scaled.plan.time_limit) {
      require_answers();
      turn();
      require_servers_at_the_end();
      return request.is_limit_proof ? RunEnd::repeats : RunEnd::time_limit;
    }
  }
  require_servers_at_the_end();
  return RunEnd::finished;
}

// A run is judged only if its servers did nothing but what faults told them.
void LiveWorld::require_servers() {
  if (servers != nullptr) {
    servers->look_after();
  }
}

void LiveWorld::require_servers_at_the_end() {
  if (servers != nullptr) {
    servers->look_at_the_end();
  }
  if (user_servers != nullptr) {
    user_servers->look_at_the_end();
  }
}

// A run that comes to its limit of time is judged only if its clients are still there.
void LiveWorld::require_answers() {
  const RealClock::time_point deadline = RealClock::now() + patience_with_pings;
  for (const std::unique_ptr<Client>& client : clients) {
    client->has_answered = client->program == nullptr || client->is_paused;
    if (!client->has_answered) {
      client->program->send({{"type", "ping"}});
    }
  }
  const auto answered = [](const std::unique_ptr<Client>& client) { return client->has_answered; };
  while (!std::all_of(clients.begin(), clients.end(), answered)) {
    context.run_one_until(deadline);
    if (RealClock::now() > deadline) {
      const auto silent = std::find_if_not(clients.begin(), clients.end(), answered);
      throw LiveError(fmt::format("{} hangs: it has not answered for {} s.",
                                  mirror.world.kernel.process((*silent)->process).name,
                                  patience_with_pings / Duration(1s)));
    }
  }
}

void LiveWorld::Client::on_crash() {
  world.history.record({.type = EventType::died, .process = process, .token = std::nullopt});
  has_begun = true;
  is_started = true;  // whoever comes back begins at once
  program.reset();
}

void LiveWorld::Client::on_restart() {
  world.history.record({.type = EventType::restarted, .process = process, .token = std::nullopt});
  world.launch(*this);
}

}  // namespace holdfast::live
