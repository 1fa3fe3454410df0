// Faults that nobody placed: at each step a strategy is asked whether one of a menu strikes there.
//
// One question a fault that could strike: choose("fault(entry,process)", 2). So the log of choices says which
// faults struck and where, and a strategy that knows the name of a stream knows what it is asked for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "faults/driver.h"

namespace holdfast {

// What a strategy may do to a run, besides choosing latencies and what locks draw at random.
struct Scope {
  // As in a sweep: `on` is "clients", "servers" or a process, and if `at` has a phase, a fault strikes only
  // at steps of that. If it has a name, only at steps of that name: a pause at "SET" is one while acquiring.
  std::vector<FaultSpec> menu;
  std::uint32_t most_faults = 1;
  bool reorders = false;  // messages on their way to the same process may overtake each other
};

inline constexpr std::string_view fault_stream = "fault";
// A lock that spins repeats itself: beyond this many steps of one process nothing new is to be found, and one
// that never gets anywhere would take them without end.
inline constexpr std::uint32_t most_steps_of_a_process = 200;

// A fault that struck: entry of the menu, at this step of this process.
struct InjectedFault {
  std::size_t entry = 0;
  ProcessId process{};
  std::uint32_t ordinal = 0;
};

class FaultInjector final : public StepObserver {
 public:
  // All of them must outlive the run; `driver` has been reset for it. No scope: never asks.
  void reset(FaultWorld& world, FaultDriver& driver, const Scope* scope);
  void on_step(const Step& step) override;

  const std::vector<InjectedFault>& injected() const { return injected_; }
  // How many were asked.
  std::uint64_t questions() const { return questions_; }

 private:
  // An entry of the menu, looked up.
  struct Item {
    std::size_t entry = 0;
    bool on_clients = false;
    bool on_servers = false;
    ProcessId on = world_process;  // one process; world_process: there is none of that name
    std::string_view name;         // of the steps; empty: any
  };

  // Whom a fault could strike at a step, looked up once for all entries of the menu. world_process: nobody.
  struct Takers {
    ProcessId caller{};  // who takes the step
    ProcessId client{};  // the same, if it is a client of the run
    ProcessId server{};  // of a lock, at a step that a server counts
  };

  Takers takers_of(const Step& step) const;
  // The one of them that this entry could strike.
  static ProcessId target_of(const Item& item, const Takers& takers);
  Item looked_up(std::size_t entry) const;
  bool strikes(std::size_t entry, ProcessId target);

  FaultWorld* world_ = nullptr;
  FaultDriver* driver_ = nullptr;
  const Scope* scope_ = nullptr;
  std::array<std::vector<Item>, 5> items_by_phase_;  // in the order of the menu; only what may strike
  std::vector<std::optional<StreamId>> streams_;     // by entry and process
  std::vector<std::uint8_t> is_client_;              // by process
  std::vector<InjectedFault> injected_;
  std::uint64_t questions_ = 0;
};

}  // namespace holdfast
