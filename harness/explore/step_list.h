// The steps of a run at which a sweep may place a fault.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/env/steps.h"

namespace holdfast {

struct StepPlace {
  ProcessId process{};
  std::uint32_t ordinal = 0;
  Phase phase = Phase::point;
  bool on_server = false;
  // A thread that waits has asked the same before and asks it again: neither the first two times nor the
  // last.
  bool repeats = false;
};

class StepList final : public StepObserver {
 public:
  void reset();
  void on_step(const Step& step) override;
  // To be called when the run is over.
  void finish();

  const std::vector<StepPlace>& places() const { return places_; }
  // Steps that are not among them: a process had taken too many.
  std::uint64_t beyond() const { return beyond_; }

 private:
  // What one thread asks for between two points of its work.
  struct Asked {
    ProcessId process{};
    std::uint32_t thread = 0;
    std::uint64_t name = 0;  // of the call, with its server
    Phase phase = Phase::point;
    std::uint32_t times = 0;
    std::size_t last = 0;         // place of the last time, as a client's step
    std::size_t last_server = 0;  // and as a server's
  };

  Asked& asked(const Step& step);
  void forget(ProcessId process, std::uint32_t thread);
  void add(const StepPlace& place);

  std::vector<StepPlace> places_;
  std::vector<Asked> asked_;
  std::uint64_t beyond_ = 0;
};

}  // namespace holdfast
