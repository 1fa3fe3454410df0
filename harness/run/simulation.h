// One run after another of scenarios on virtual time, in the worlds `sim` and `warp`: set up, run, record,
// check. The worlds differ in who answers for the servers, and in nothing else.
//
// A Simulation owns a whole world (kernel, network, servers, clients, history, checks) and reuses its
// memory, so that a short run costs microseconds. What a run does depends on its RunRequest alone, never
// on the runs before it. Not thread-safe: one Simulation per operating-system thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "faults/injector.h"
#include "harness/history/history.h"
#include "harness/run/report.h"
#include "harness/scenario/scenario.h"
#include "harness/stores/real_server_set.h"
#include "locks/catalog.h"

namespace holdfast {

struct RunPlan;

// Where one run of a family puts its fault: entry `fault` of the sweep, at step `ordinal` of `process`.
// Written "1@c1:12": the first entry, at the 12th step of c1.
struct Placement {
  std::size_t fault = 0;  // index into Scenario::sweep
  std::string process;
  std::uint32_t ordinal = 0;
};
std::string to_text(const Placement& placement);
std::optional<Placement> placement_from(std::string_view text);

struct RunRequest {
  const Scenario* scenario = nullptr;
  const LockEntry* lock = nullptr;
  std::uint64_t seed = 1;
  std::optional<Placement> placement;  // of a family's run
  bool details = false;                // record what servers executed
  bool explain = false;                // fill RunReport::verdicts
  EventSink* sink = nullptr;           // sees every event too
  StepObserver* step_observer = nullptr;
  Strategy* strategy = nullptr;  // instead of random by seed
  const Scope* scope = nullptr;  // what the strategy may do to the run
  // make_plan() of scenario and lock, for whoever makes many runs of them; none: it is made for this one.
  const RunPlan* plan = nullptr;
};

class Simulation {
 public:
  // Real servers answer that these hold, which must live as long; none: the models.
  explicit Simulation(RealServerSet* real = nullptr);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  RunReport run(const RunRequest& request);

  // Of the last run.
  const History& history() const;
  const Choices& choices() const;
  // Its processes in the order of a picture: clients, lock servers, storage.
  std::vector<ProcessId> processes() const;
  const Kernel& kernel() const;
  // How long what servers were told to forget by themselves was to last (Servers::leases).
  std::vector<Duration> leases() const;
  // The faults that a strategy chose, in the order in which they struck.
  const std::vector<InjectedFault>& injected() const;
  // How many faults a strategy was asked about.
  std::uint64_t fault_questions() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Why the lock cannot take part in the scenario ("needs a mutex; redisson-latch is a latch"), or empty.
std::string why_not_applicable(const Scenario& scenario, const LockEntry& lock);

}  // namespace holdfast
