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
#include "harness/live/client/control_line.h"
#include "harness/live/client/real_time.h"
#include "harness/live/protocol/event_message.h"
#include "harness/live/protocol/setup_message.h"
#include "harness/machine/process/live_error.h"
#include "harness/stores/files/host.h"
#include "harness/stores/redis/server/live_client.h"
#include "harness/stores/storage/storage_wire.h"
#include "harness/workload/workload.h"
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
  ~Program() override { kernel_.stop(); }

  void start();
  // One round: what is due, then what comes in.
  void turn();
  void hear(const Json& message);

  void on_event(const Event& event, const History& history) override {
    line_.send(to_json(event, history.text(event)));
  }
  void on_step(const Step& step) override;

 private:
  struct ThreadState {
    ThreadState(Program& program, std::uint32_t number);
    Env env;
    std::vector<std::unique_ptr<LiveClient>> redis;
    files::HostClient files;
    Stores stores;
    Worker worker;
  };

  void add_processes();
  void add_gateways();

  ControlLine& line_;
  SetupMessage setup_;
  RandomStrategy random_;
  Steps steps_;
  History history_;
  files::Host host_;
  Poller poller_;
  Kernel kernel_;
  redis::RedisCalls calls_;
  StorageCalls storage_calls_;
  Network network_{kernel_};
  ProcessId process_{};
  std::vector<ProcessId> servers_;
  ProcessId storage_process_{};
  std::vector<std::unique_ptr<RedisGateway>> gateways_;  // one for each server
  std::unique_ptr<StorageGateway> storage_;
  std::unique_ptr<RealTime> time_;
  WorkShared shared_;
  std::unique_ptr<Lock> lock_;
  std::unique_ptr<Latch> latch_;
  std::vector<std::unique_ptr<ThreadState>> threads_;
  bool is_done_ = false;
  bool is_ready_ = false;
};

Program::ThreadState::ThreadState(Program& program, std::uint32_t number)
    : env(program.kernel_, program.steps_, program.process_, number),
      files(env, program.host_),
      worker(program.shared_, env, stores, program.lock_.get(), program.latch_.get()) {
  const ThreadSetup& setup = program.setup_.threads[number - 1];
  for (std::size_t server = 0; server < setup.servers.size(); ++server) {
    redis.push_back(std::make_unique<LiveClient>(
        LiveClientSetup{env, program.calls_, program.servers_[server], *program.gateways_[server],
                        program.poller_, setup.servers[server], program.setup_.command_timeout}));
    stores.redis.push_back(redis.back().get());
  }
  stores.files = &files;
}

Program::Program(ControlLine& line, SetupMessage setup)
    : line_(line),
      setup_(std::move(setup)),
      calls_(kernel_, network_, steps_),
      storage_calls_(kernel_, network_, steps_) {
  add_processes();
  add_gateways();
  history_.reset(kernel_, false);
  history_.add_sink(*this);
  shared_.history = &history_;
  shared_.storage_calls = &storage_calls_;
  shared_.storage = storage_.get();
  shared_.storage_process = storage_process_;
  shared_.storage_timeout = setup_.command_timeout;
  shared_.sessions = setup_.first_number;
  shared_.writes = setup_.first_number;
  const LockEntry& entry = lock_called(setup_.lock);
  lock_ = entry.make != nullptr ? entry.make(setup_.settings) : nullptr;
  latch_ = entry.make_latch != nullptr ? entry.make_latch(setup_.settings) : nullptr;
  for (std::uint32_t number = 1; number <= setup_.threads.size(); ++number) {
    threads_.push_back(std::make_unique<ThreadState>(*this, number));
  }
  poller_.add(line_);
}

void Program::add_processes() {
  random_.reset(setup_.seed ^ quick_hash(setup_.process));
  kernel_.reset(random_);
  kernel_.hold_open();  // until the controller says otherwise: a watchdog may outlive the work
  process_ = kernel_.add_process(setup_.process);
  for (std::size_t server = 0; server < setup_.threads.at(0).servers.size(); ++server) {
    servers_.push_back(kernel_.add_process("server"));
  }
  storage_process_ = kernel_.add_process("storage");
  steps_.reset(kernel_.process_count());
  if (setup_.reports_steps) {
    steps_.observe(*this);
  }
  network_.reset(no_latency);
  calls_.reset();
  storage_calls_.reset();
}

void Program::add_gateways() {
  for (std::size_t server = 0; server < servers_.size(); ++server) {
    std::vector<Endpoint> endpoints;
    endpoints.reserve(setup_.threads.size());
    for (const ThreadSetup& thread : setup_.threads) {
      endpoints.push_back(thread.servers.at(server));
    }
    gateways_.push_back(std::make_unique<RedisGateway>(calls_, poller_, std::move(endpoints)));
  }
  std::vector<Endpoint> endpoints;
  endpoints.reserve(setup_.threads.size());
  for (const ThreadSetup& thread : setup_.threads) {
    endpoints.push_back(thread.storage);
  }
  storage_ = std::make_unique<StorageGateway>(storage_calls_, poller_, std::move(endpoints));
}

void Program::start() {
  time_ = std::make_unique<RealTime>(kernel_, process_, poller_);
  for (std::size_t index = 0; index < threads_.size(); ++index) {
    kernel_.spawn(process_, run_workload(threads_[index]->worker, setup_.threads[index].plan));
  }
}

void Program::turn() {
  time_->run_due();
  if (shared_.go && !std::exchange(is_ready_, true)) {
    line_.send({{"type", "ready"}});
  }
  if (kernel_.foreground_count() == 0 && !std::exchange(is_done_, true)) {
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
    kernel_.kill_thread(process_, message.at("thread").get<std::size_t>() - 1);
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
  if (step.server == storage_process_) {
    message["server"] = -1;
  } else if (step.server != world_process) {
    message["server"] = index_of(step.server) - index_of(servers_.front());
  }
  line_.send(message);
  line_.wait_for("go");
  time_->catch_up();  // it may have been a long stand
}

}  // namespace

int run_client_program() {
  signal(SIGPIPE, SIG_IGN);
  ControlLine line(STDIN_FILENO, STDOUT_FILENO);
  try {
    Program program(line, setup_message(line.wait_for("setup")));
    line.handle_with([&](const Json& message) { program.hear(message); });
    line.send({{"type", "prepared"}});
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
