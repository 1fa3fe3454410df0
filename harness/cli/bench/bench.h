// The benchmarks: how fast holdfast itself is. They read real clocks and say what this machine did just now.
#pragma once

#include <cstdint>

#include "harness/stores/real_server_set.h"

namespace holdfast::cli {

struct KernelSpeed {
  double kernel_events_per_second = 0;
  double bare_events_per_second = 0;  // of a bare heap-and-resume loop

  double ratio() const { return kernel_events_per_second / bare_events_per_second; }
};
// Medians of `rounds` measurements of `events` events each.
KernelSpeed measure_kernel(std::uint64_t events, std::uint64_t rounds);

struct PipelineSpeed {
  double runs_per_second = 0;
  double virtual_per_real_second = 0;  // how much faster than the clocks it simulates
  double events_per_run = 0;
  double peak_memory_mb = 0;        // of the whole process, at the end
  double early_peak_memory_mb = 0;  // after the first hundredth of the runs
  std::uint64_t violated_runs = 0;  // none: there is no fault
};
// Complete runs (set up, run, record, check) of three clients with redis-px-cad, one round each, on one core.
// `servers` answer; none: the models.
PipelineSpeed measure_pipeline(std::uint64_t runs, RealServerSet* servers);

// Medians of several turns.
struct WarpSpeed {
  double commands_per_second = 0;
  double bare_commands_per_second = 0;  // of a loop that does nothing but say them
  double ratio = 0;                     // of the two in the same turn
  double runs_per_second = 0;
  double virtual_per_real_second = 0;
  double commands_per_run = 0;
  std::uint64_t violated_runs = 0;
};
// The same runs with real servers; `programs` are theirs.
WarpSpeed measure_warp(std::uint64_t runs, RealServerSet& servers, const live::ServerPrograms& programs);
// Of the lock that these runs are about.
const Store& pipeline_store();

}  // namespace holdfast::cli
