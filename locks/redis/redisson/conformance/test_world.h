// For tests: a sequence done by our locks on virtual time, on real servers or on models.
//
// Messages take a millisecond each way. A process has one object of each kind, which its threads share.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/kernel/random_strategy.h"
#include "harness/stores/redis/cluster.h"
#include "locks/catalog.h"
#include "locks/lookup/lookup.h"
#include "locks/redis/redisson/conformance/test_record.h"
#include "locks/redis/redisson/conformance/test_sequences.h"

namespace holdfast::redisson {

inline constexpr Duration test_lease = 3s;

// The ids under which the catalog has the objects of a release: "fair" → "redisson-fair-pttl".
using TestNames = std::map<std::string, std::string>;

class TestWorld {
 public:
  TestWorld(const TestSequence& sequence, const TestNames& names, redis::NodeMaker& servers)
      : sequence_(sequence), names_(names), cluster_({kernel_, network_, steps_}, maker_), maker_(servers) {
    strategy_.reset(1);
    kernel_.reset(strategy_);
    cluster_.add_processes_of({.servers = sequence.servers, .replicas = sequence.replicas});
    for (const TestStep& step : sequence.steps) {
      if (step.is_of_a_thread() && !processes_.contains(step.process())) {
        processes_[step.process()].id = kernel_.add_process(step.process());
      }
    }
    network_.reset(Latency{.least = 1ms, .jitter_step = 0ns, .jitter_steps = 1});
    steps_.reset(kernel_.process_count());
    cluster_.start();
    record_ = std::make_unique<TestRecord>(kernel_, cluster_, maker_.primaries(sequence.replicas + 1),
                                           sequence.replicas + 1);
  }
  ~TestWorld() {
    kernel_.stop();
    threads_.clear();
    network_.drop_everything();
  }

  // {"calls", "commands"}, as the recorder writes them.
  Json run() {
    for (const TestStep& step : sequence_.steps) {
      if (step.is_of_a_thread()) {
        threads_[step.who].steps.push_back(&step);
      } else {
        kernel_.spawn(world_process, act(step), true);
      }
    }
    for (auto& [who, thread] : threads_) {
      const ProcessId process = processes_.at(who.substr(0, who.find(':'))).id;
      begin(thread, who, process);
      kernel_.spawn(process, work(who, thread), true);
    }
    kernel_.hold_open();
    kernel_.run({.true_time = std::chrono::milliseconds(sequence_.until_ms)});
    return {{"calls", record_->calls()}, {"commands", record_->commands()}};
  }

  // Of a server, as it is now.
  Kept kept(std::size_t server) const { return record_->look(server); }

 private:
  // Remembers the nodes, for a look at what they keep.
  class Maker final : public redis::NodeMaker {
   public:
    explicit Maker(redis::NodeMaker& servers) : servers_(servers) {}
    redis::Node& make(std::size_t place, const redis::Topology& topology) override {
      nodes_.push_back(&servers_.make(place, topology));
      return *nodes_.back();
    }
    std::vector<redis::Node*> primaries(std::size_t members) const {
      std::vector<redis::Node*> all;
      for (std::size_t place = 0; place < nodes_.size(); place += members) {
        all.push_back(nodes_[place]);
      }
      return all;
    }

   private:
    redis::NodeMaker& servers_;
    std::vector<redis::Node*> nodes_;
  };
  struct Process {
    ProcessId id{};
    std::map<std::string, std::unique_ptr<Lock>> locks;  // by id
    std::unique_ptr<Latch> latch;
  };
  struct Thread {
    std::vector<const TestStep*> steps;
    std::unique_ptr<Env> env;
    StoreClients stores;
    std::unique_ptr<Caller> caller;
  };

  void begin(Thread& thread, const std::string& who, ProcessId process) {
    const auto number = static_cast<std::uint32_t>(std::stoul(who.substr(who.find(':') + 1)));
    thread.env = std::make_unique<Env>(kernel_, steps_, process, number);
    thread.stores.reset(redis::Client::store_id);
    for (std::size_t server = 0; server < sequence_.servers; ++server) {
      thread.stores.add(std::make_unique<RecordingClient>(cluster_.connect(*thread.env, server, 3s),
                                                          who.substr(0, who.find(':')), server, *record_));
    }
    thread.caller = std::make_unique<Caller>(Caller{*thread.env, thread.stores});
  }

  Task<> act(const TestStep& step) {
    co_await Sleep(
        kernel_, world_process, ClockKind::monotonic,
        kernel_.read_clock(world_process, ClockKind::monotonic) + std::chrono::milliseconds(step.at_ms));
    if (step.who == "server") {
      const std::size_t server = step.what == "forgets" ? 0 : std::stoul(step.what) - 1;
      record_->ask(server, redis::make_command("FLUSHALL"));
      record_->look_again(server);
    } else if (step.who == "replica") {
      kernel_.pause(cluster_.members(0).at(1));
    } else {
      kernel_.crash(processes_.at(step.who).id);
    }
  }

  Task<> work(const std::string& who, Thread& thread) {
    const Duration start = thread.env->monotonic();
    for (const TestStep* step : thread.steps) {
      const Duration due = start + std::chrono::milliseconds(step->at_ms);
      if (due > thread.env->monotonic()) {
        co_await thread.env->sleep(due - thread.env->monotonic());
      }
      const std::string result = co_await call(who, *thread.caller, step->what);
      record_->returned(who, step->what, result);
    }
  }

  Task<std::string> call(const std::string& who, Caller& me, const std::string& what) {
    const std::size_t dot = what.find('.');
    const std::size_t space = what.find(' ');
    const std::string object = what.substr(0, dot);
    const std::string verb = what.substr(dot + 1, space - dot - 1);
    std::optional<std::int64_t> number;
    if (space != std::string::npos) {
      number = std::stoll(what.substr(space + 1));
    }
    Process& process = processes_.at(who.substr(0, who.find(':')));
    std::string result;
    if (object == "latch") {
      result = co_await call_latch(process, me, verb, number);
    } else {
      result = co_await call_lock(process, me, object, verb, number);
    }
    co_return result;
  }

  Task<std::string> call_lock(Process& process, Caller& me, const std::string& object,
                              const std::string& verb, std::optional<std::int64_t> patience_ms) {
    const std::string& id = names_.at(object);
    std::unique_ptr<Lock>& lock = process.locks[id];
    if (!lock) {
      LockSettings settings;
      settings.ttl = test_lease;
      lock = find_lock(id)->make(settings);
    }
    const LockMode mode = object == "read" ? LockMode::shared : LockMode::exclusive;
    if (verb == "unlock") {
      const Released released = co_await lock->release(me, mode);
      co_return released.ok() ? "ok" : released.outcome == Released::Outcome::failed ? "refused" : "threw";
    }
    AcquireRequest request{.mode = mode, .patience = {}};
    if (verb == "try") {
      request.patience = std::chrono::milliseconds(patience_ms.value_or(0));
    }
    const Acquired acquired = co_await lock->acquire(me, request);
    if (!acquired.ok()) {
      co_return acquired.outcome == Acquired::Outcome::failed ? "busy" : "threw";
    }
    co_return acquired.token ? "ok " + std::to_string(*acquired.token) : "ok";
  }

  Task<std::string> call_latch(Process& process, Caller& me, const std::string& verb,
                               std::optional<std::int64_t> number) {
    if (!process.latch) {
      LockSettings settings;
      settings.ttl = test_lease;
      process.latch = find_lock(names_.at("latch"))->make_latch(settings);
    }
    if (verb == "await") {
      std::optional<Duration> patience;
      if (number) {
        patience = std::chrono::milliseconds(*number);
      }
      const Acquired open = co_await process.latch->await_zero(me, patience);
      co_return open.ok() ? "ok" : open.outcome == Acquired::Outcome::failed ? "busy" : "threw";
    }
    Released done;
    if (verb == "set") {
      done = co_await process.latch->set_count(me, number.value_or(0));
    } else {
      done = co_await process.latch->count_down(me);
    }
    co_return done.ok() ? "ok" : done.outcome == Released::Outcome::failed ? "refused" : "threw";
  }

  const TestSequence& sequence_;
  const TestNames& names_;
  RandomStrategy strategy_;
  Kernel kernel_;
  Steps steps_;
  Network network_{kernel_};
  redis::Cluster cluster_;
  Maker maker_;
  std::map<std::string, Process> processes_;
  std::map<std::string, Thread> threads_;
  std::unique_ptr<TestRecord> record_;
};

}  // namespace holdfast::redisson
