// Decides where faults strike: watches the steps of a run, begins each fault at its place and ends it.
//
// Every fault of a scenario strikes once. Begin and end are events of the history. Reused from run to run.
#pragma once

#include <cstdint>
#include <vector>

#include "faults/fault.h"
#include "harness/history/history.h"

namespace holdfast {

class FaultDriver final : public StepObserver {
 public:
  // `faults` must outlive the run. Ids and process names have been checked when the scenario was loaded.
  // Up to `unplanned` more may strike than those.
  void reset(FaultWorld& world, History& history, Duration ttl, const std::vector<FaultSpec>& faults,
             std::size_t unplanned = 0);
  // Begins a fault that no scenario planned, here and now. `spec` must outlive the run.
  void strike(const FaultSpec& spec, ProcessId target, const Step& step);
  // The process of that name; world_process if there is none.
  ProcessId find(const std::string& name) const;
  void on_step(const Step& step) override;

  // Indices of the faults that never found their place.
  std::vector<std::size_t> not_struck() const;

 private:
  // A selector with its process looked up and its matches counted.
  struct Watch {
    const StepSelector* selector = nullptr;
    ProcessId process{};
    std::uint32_t seen = 0;
  };
  struct Armed {
    const FaultSpec* spec = nullptr;
    const FaultEntry* entry = nullptr;
    Watch at;
    Watch until;
    Strike strike;
    bool struck = false;
    bool over = false;
  };

  Armed armed(const FaultSpec& spec, ProcessId target) const;
  static bool fits(Watch& watch, const Step& step);
  void begin(Armed& fault, const Step* step);
  void stop_watching();
  void end(Armed& fault);
  static void begin_by_time(void* context, std::uint64_t index);
  static void end_by_time(void* context, std::uint64_t index);

  FaultWorld* world_ = nullptr;
  History* history_ = nullptr;
  Duration ttl_{0};
  std::vector<Armed> faults_;
  std::size_t watching_ = 0;  // faults that still wait for a step
};

}  // namespace holdfast
