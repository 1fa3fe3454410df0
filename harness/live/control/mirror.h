// The mirror of a live run: its processes, servers and links as in `sim`, and the faults that strike them.
//
// Its time is real time: whoever asks it to do something tells it the time first. Nothing happens in it but
// faults; the controller reads off what they have changed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "faults/driver.h"
#include "harness/history/history.h"
#include "harness/kernel/random_strategy.h"
#include "harness/live/control/scaled.h"
#include "harness/run/world.h"

namespace holdfast::live {

class Mirror {
 public:
  Mirror();
  Mirror(const Mirror&) = delete;
  Mirror& operator=(const Mirror&) = delete;
  ~Mirror() { world.kernel.stop(); }

  // `faults` are those of this run.
  void set_up(const Scaled& scaled, const LockEntry& lock, std::vector<FaultSpec> faults);
  // True time begins, and faults wait for their steps; who else looks at steps has to say so before. `wall`
  // and `monotonic` are what real clocks say now.
  void arm(History& history, Duration wall, Duration monotonic);

  // What is due by now happens, and who died is buried.
  void run_until(Duration now);
  // How far the process's clock is from a true one.
  Duration clock_offset(ProcessId process, ClockKind kind) const {
    return kernel().read_clock(process, kind) - kernel().read_clock(world_process, kind);
  }
  bool is_paused(ProcessId process) const {
    return kernel().process(process).alive && kernel().process(process).pauses > 0;
  }
  // Nothing that a fault began is still to end.
  bool is_settled() const { return kernel().held_open() == 1; }

  Kernel& kernel() { return world.kernel; }
  const Kernel& kernel() const { return world.kernel; }
  const std::vector<ProcessId>& clients() const { return world.clients; }

  RandomStrategy random;
  World world;  // with models that nobody asks anything
  FaultDriver driver;
  std::vector<ProcessId> nodes;  // of the servers, in order

 private:
  std::vector<FaultSpec> faults_;
  Duration ttl_{0};
  std::optional<FaultWorld> fault_world_;
};

}  // namespace holdfast::live
