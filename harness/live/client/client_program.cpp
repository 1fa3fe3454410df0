#include "harness/live/client/client_program.h"

#include <signal.h>
#include <unistd.h>

#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "harness/history/history.h"
#include "harness/kernel/fingerprint.h"
#include "harness/kernel/random_strategy.h"
#include "harness/kernel/require.h"
#include "harness/live/client/control_line.h"
#include "harness/live/client/real_time.h"
#include "harness/live/protocol/event_message.h"
#include "harness/live/protocol/setup_message.h"
#include "harness/machine/process/live_error.h"
#include "harness/run/client_process.h"
#include "harness/run/world.h"
#include "harness/stores/gateway.h"
#include "harness/stores/storage/storage_wire.h"
#include "harness/stores/store.h"
#include "locks/lookup/lookup.h"

namespace holdfast::live {
namespace {

using Json = nlohmann::ordered_json;

struct StorageCodec {
  static std::string encode(const StorageRequest& request) { return to_line(request); }
  static StorageResponse decode(std::string_view message) { return storage_response(message); }
  static std::optional<std::size_t> framing(std::string_view bytes) { return line_length(bytes); }
};
using StorageGateway = Gateway<StorageCalls, StorageCodec>;

// Messages inside the process arrive at once: the way that counts is outside.

const LockEntry& lock_called(const std::string& id) {
  const LockEntry* const entry = find_lock(id);
  if (entry == nullptr) {
    throw LiveError("there is no lock called " + id + ".");
  }
  return *entry;
}

// A client with all that belongs to it. Members are destroyed from the last to the first, so each may refer
// to those above it.
class Program final : public EventSink, public StepObserver {
 public:
  Program(ControlLine& line, SetupMessage setup);
  ~Program() override { world_.kernel.stop(); }

  void start();
  // One round: what is due, then what comes in.
  void turn();
  void hear(const Json& message);

  void on_event(const Event& event, const History& history) override {
    line_.send(to_json(event, history.text(event)));
  }
  void on_step(const Step& step) override;

 private:
  std::unique_ptr<Servers> make_servers(const Store& store, const ServersContext& context);
  void set_up();

  ControlLine& line_;
  SetupMessage setup_;
  RandomStrategy random_;
  History history_;
  Poller poller_;
  World world_;
  ServersPlan plan_;
  std::unique_ptr<StorageGateway> storage_;
  std::unique_ptr<RealTime> time_;
  WorkShared shared_;
  ClientSetup client_setup_;
  std::vector<WorkPlan> work_;  // of each thread
  std::unique_ptr<ClientProcess> client_;
  bool is_done_ = false;
  bool is_ready_ = false;
};

Program::Program(ControlLine& line, SetupMessage setup)
    : line_(line),
      setup_(std::move(setup)),
      world_([this](const Store& store, const ServersContext& context) {
        return make_servers(store, context);
      }) {
  set_up();
  history_.reset(world_.kernel, false);
  history_.add_sink(*this);
  shared_.history = &history_;
  shared_.storage_calls = &world_.storage_calls;
  shared_.storage = storage_.get();
  shared_.storage_process = world_.storage;
  shared_.storage_timeout = setup_.command_timeout;
  shared_.sessions = setup_.first_number;
  shared_.writes = setup_.first_number;
  poller_.add(line_);
}

std::unique_ptr<Servers> Program::make_servers(const Store& store, const ServersContext& context) {
  Reach reach;
  for (const ThreadSetup& thread : setup_.threads) {
    reach.endpoints.push_back(thread.servers);
  }
  return store.reach_servers(context, poller_, reach);
}

void Program::set_up() {
  const LockEntry& lock = lock_called(setup_.lock);
  random_.reset(setup_.seed ^ quick_hash(setup_.process));
  plan_.servers = setup_.threads.at(0).servers.size();
  world_.set_up({.strategy = &random_,
                 .clients = {setup_.process},
                 .store = &store_called(lock.needs.store),
                 .servers = &plan_,
                 .latency = no_latency});
  world_.kernel.hold_open();  // until the controller says otherwise: a watchdog may outlive the work
  if (setup_.reports_steps) {
    world_.steps.observe(*this);
  }
  std::vector<Endpoint> endpoints;
  for (const ThreadSetup& thread : setup_.threads) {
    endpoints.push_back(thread.storage);
    work_.push_back(thread.plan);
  }
  storage_ = std::make_unique<StorageGateway>(world_.storage_calls, poller_, std::move(endpoints));
  storage_->open();
  client_setup_ = {&world_, &shared_, &lock, setup_.settings, setup_.command_timeout};
  client_ = std::make_unique<ClientProcess>(client_setup_, world_.clients.front(), work_);
}

void Program::start() {
  time_ = std::make_unique<RealTime>(world_.kernel, world_.clients.front(), poller_);
  client_->start();
}

void Program::turn() {
  time_->run_due();
  if (shared_.go && !std::exchange(is_ready_, true)) {
    line_.send({{"type", "ready"}});
  }
  if (world_.kernel.foreground_count() == 0 && !std::exchange(is_done_, true)) {
    line_.send({{"type", "done"}});
  }
  time_->wait();
  line_.handle_rest();
}

void Program::hear(const Json& message) {
  const auto type = message.at("type").get<std::string>();
  if (type == "ready") {
    is_ready_ = true;
    shared_.go = true;
  } else if (type == "ping") {
    line_.send({{"type", "pong"}});
  } else if (type == "end-thread") {
    world_.kernel.kill_thread(world_.clients.front(), message.at("thread").get<std::size_t>() - 1);
  }
}

void Program::on_step(const Step& step) {
  const bool is_ours =
      step.phase == Phase::point || step.phase == Phase::sending || step.phase == Phase::replied;
  if (!is_ours) {
    return;
  }
  Json message{
      {"type", "step"}, {"phase", to_text(step.phase)}, {"name", step.name}, {"thread", step.thread}};
  if (step.server == world_.storage) {
    message["server"] = -1;
  } else if (step.server != world_process) {
    message["server"] = index_of(step.server) - index_of(world_.servers().serving(0));
  }
  line_.send(message);
  line_.wait_for("go");
  time_->catch_up();  // it may have been a long stand
}

}  // namespace

int run_client_program() {
  signal(SIGPIPE, SIG_IGN);
  tell_broken_invariants();
  ControlLine line(STDIN_FILENO, STDOUT_FILENO);
  try {
    Program program(line, setup_message(line.wait_for("setup")));
    line.handle_with([&](const Json& message) { program.hear(message); });
    line.send({{"type", "prepared"}, {"wall", program_time(ClockKind::wall).count()}});
    line.wait_for("start");
    program.start();
    while (true) {
      program.turn();
    }
  } catch (const std::exception& problem) {
    line.send({{"type", "problem"}, {"text", problem.what()}});
    return 1;
  }
}

}  // namespace holdfast::live
