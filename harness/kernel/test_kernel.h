// For tests: a kernel with two processes, things to do at given times, and threads that write down what
// they did.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/kernel/kernel.h"
#include "harness/kernel/random_strategy.h"
#include "harness/kernel/wait.h"

namespace holdfast {

struct TestKernel {
  explicit TestKernel(std::uint64_t seed = 1) { reset(seed); }

  void reset(std::uint64_t seed = 1) {
    kernel.stop();
    strategy.reset(seed);
    kernel.reset(strategy);
    a = kernel.add_process("a");
    b = kernel.add_process("b");
    log.clear();
  }

  // Does it at a true time, on behalf of the world, which never stops.
  void at(Duration true_time, std::function<void()> action) {
    on_behalf_of(world_process, true_time, std::move(action));
  }
  Ticket on_behalf_of(ProcessId process, Duration true_time, std::function<void()> action) {
    actions.push_back(std::move(action));
    return kernel.call_at(
        process, true_time,
        [](void* context, std::uint64_t) { (*static_cast<std::function<void()>*>(context))(); },
        &actions.back(), 0);
  }
  // Writes down the word and the true time: "tick 5".
  void note(std::string_view word) {
    log.push_back(std::string(word) + " " + std::to_string(to_milliseconds(kernel.now())));
  }
  RunEnd run(RunLimits limits = {}) { return kernel.run(limits); }

  RandomStrategy strategy;
  std::deque<std::function<void()>> actions;
  std::vector<std::string> log;
  Kernel kernel;
  ProcessId a{};
  ProcessId b{};
};

// Says when a frame that has it goes away.
class Farewell {
 public:
  Farewell(TestKernel& world, std::string_view word) : world_(world), word_(word) {}
  Farewell(const Farewell&) = delete;
  Farewell& operator=(const Farewell&) = delete;
  ~Farewell() { world_.note(word_); }

 private:
  TestKernel& world_;
  std::string_view word_;
};

// Sleeps on the process's clock for `duration`, then notes the word.
inline Task<> sleep_and_note(TestKernel& world, ProcessId process, ClockKind clock, Duration duration,
                             std::string_view word) {
  co_await Sleep(world.kernel, process, clock, world.kernel.read_clock(process, clock) + duration);
  world.note(word);
}

inline Task<> sleep_for_ever(TestKernel& world, ProcessId process, std::string_view farewell) {
  const Farewell at_end(world, farewell);
  while (true) {
    const Duration next = world.kernel.read_clock(process, ClockKind::monotonic) + 1s;
    co_await Sleep(world.kernel, process, ClockKind::monotonic, next);
  }
}

}  // namespace holdfast
