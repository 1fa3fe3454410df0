// For tests: two clients a and b, a Redis server with replicas and a storage process, steps taken by hand,
// and faults armed on them. Messages take 1 ms; the lock's lease is 10 s.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "faults/driver.h"
#include "harness/kernel/test_kernel.h"
#include "harness/stores/redis/model/model_nodes.h"
#include "harness/stores/redis/network_client.h"

namespace holdfast {

class FaultsTest : public ::testing::Test {
 protected:
  FaultsTest() { begin(1); }
  ~FaultsTest() override {
    world.kernel.stop();
    client.reset();
    network.drop_everything();
  }

  void begin(std::size_t replicas) {
    client.reset();
    world.reset();
    cluster.add_processes_of({.servers = 1, .replicas = replicas, .replication_lag = 0ms});
    storage = world.kernel.add_process("storage");
    network.reset(Latency{.least = 1ms, .jitter_step = 0ns, .jitter_steps = 1});
    steps.reset(world.kernel.process_count());
    cluster.start();
    redis = cluster.serving(0);
    fault_world.emplace(FaultWorld{world.kernel, network, cluster, {world.a, world.b}, storage});
    env.emplace(world.kernel, steps, world.a, 1);
    client = std::make_unique<redis::NetworkClient>(*env, cluster, 0, 500ms);
    history.reset(world.kernel, false);
    world.kernel.hold_open();
  }

  // A fault that strikes its process at the point "work".
  static FaultSpec fault(std::string id, const std::string& on) {
    FaultSpec spec;
    spec.fault = std::move(id);
    spec.on = on;
    spec.at.process = on;
    spec.at.name = "work";
    return spec;
  }
  static ScenarioDuration fixed(Duration duration) { return {duration, 0}; }
  void arm(std::vector<FaultSpec> specs) {
    armed = std::move(specs);
    driver.reset(*fault_world, history, 10s, armed);
    steps.observe(driver);
  }

  // A client stands at a named point.
  void point(Duration time, ProcessId process, std::string_view name, std::uint32_t thread = 1) {
    world.at(time, [this, process, name, thread] {
      steps.take({.client = process, .thread = thread, .phase = Phase::point, .name = name, .call = nullptr});
    });
  }
  // Client a sends a command and notes the answer.
  template <typename... Words>
  void say(Duration time, const Words&... words) {
    world.at(time,
             [this, command = redis::make_command(words...)] { world.kernel.spawn(world.a, ask(command)); });
  }
  Task<> ask(redis::Command command) {
    const redis::Answer answer = co_await client->execute(std::move(command));
    world.note(answer.failed() ? answer.problem() : to_text(answer.reply));
  }
  void run_until(Duration time) { world.run({.true_time = time}); }
  // "fault-begin a pauses for 5 s" and when.
  std::vector<std::string> events() const {
    std::vector<std::string> words;
    for (const Event& event : history.events()) {
      words.push_back(std::string(to_text(event.type)) + " " + history.thread_name(event) + " " +
                      history.text(event) + " @" + std::to_string(to_milliseconds(event.true_time)));
    }
    return words;
  }
  Duration ahead(ProcessId process, ClockKind kind) const {
    return world.kernel.read_clock(process, kind) - world.kernel.read_clock(world_process, kind);
  }

  TestKernel world;
  Steps steps;
  History history;
  redis::ModelNodes models;
  Network network{world.kernel};
  redis::Cluster cluster{{world.kernel, network, steps}, models};
  ProcessId redis{};
  ProcessId storage{};
  std::optional<FaultWorld> fault_world;
  std::optional<Env> env;
  std::unique_ptr<redis::NetworkClient> client;
  std::vector<FaultSpec> armed;
  FaultDriver driver;
};

}  // namespace holdfast
