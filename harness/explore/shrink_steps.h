// What shrinking wants to know of the steps of a run.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "faults/catalog.h"
#include "harness/run/simulation.h"

namespace holdfast {

// Lists the steps of a run, to name them by what they are instead of by number.
class StepNames final : public StepObserver {
 public:
  struct Place {
    ProcessId process{};
    std::uint32_t ordinal = 0;
    Phase phase = Phase::point;
    std::string name;
    std::uint32_t thread = 0;
    bool of_server = false;
  };
  void on_step(const Step& step) override {
    applied_ += step.phase == Phase::applied ? 1 : 0;
    places_.push_back(
        {step.client, step.client_ordinal, step.phase, std::string(step.name), step.thread, false});
    if (step.server_ordinal != 0) {
      places_.push_back({step.server, step.server_ordinal, step.phase, std::string(step.name), 0, true});
    }
  }
  const std::vector<Place>& places() const { return places_; }
  std::uint32_t applied() const { return applied_; }

 private:
  std::vector<Place> places_;
  std::uint32_t applied_ = 0;
};

// Whether faults that strike at a step of a number found one at which they may: a delay that is moved from a
// message to a point would be another fault, and no scenario that can be loaded.
class StrikePlaces final : public StepObserver {
 public:
  StrikePlaces(const Simulation& simulation, const std::vector<FaultSpec>& faults)
      : simulation_(simulation), faults_(faults) {}
  void on_step(const Step& step) override {
    for (const FaultSpec& fault : faults_) {
      const bool is_here = fault.at.ordinal != 0 && (is_step_of(fault, step.client, step.client_ordinal) ||
                                                     is_step_of(fault, step.server, step.server_ordinal));
      if (is_here && std::ranges::count(find_fault(fault.fault)->phases, step.phase) == 0) {
        are_right_ = false;
      }
    }
  }
  bool are_right() const { return are_right_; }

 private:
  bool is_step_of(const FaultSpec& fault, ProcessId process, std::uint32_t ordinal) const {
    return fault.at.ordinal == ordinal && simulation_.kernel().process(process).name == fault.at.process;
  }

  const Simulation& simulation_;
  const std::vector<FaultSpec>& faults_;
  bool are_right_ = true;
};

}  // namespace holdfast
