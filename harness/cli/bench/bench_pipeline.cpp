// How many complete runs a second, and whether memory stays flat: see bench.h.
#include "harness/cli/bench/bench.h"
#include "harness/cli/bench/bench_memory.h"
#include "harness/cli/terminal/terminal.h"
#include "harness/machine/stopwatch.h"
#include "harness/run/plan.h"
#include "harness/run/simulation.h"
#include "harness/scenario/shelf/shelf.h"
#include "locks/lookup/lookup.h"

namespace holdfast::cli {
namespace {

constexpr const char* pipeline_lock = "redis-px-cad";

Scenario three_clients_one_round() {
  Scenario scenario;
  scenario.name = "bench-pipeline";
  scenario.lock = pipeline_lock;
  for (const char* name : {"c1", "c2", "c3"}) {
    ClientSpec client;
    client.name = name;
    scenario.clients.push_back(client);
  }
  return scenario;
}

}  // namespace

const Store& pipeline_store() {
  return store_called(lock_called(pipeline_lock).needs.store);
}

PipelineSpeed measure_pipeline(std::uint64_t runs, RealServerSet* servers) {
  const Scenario scenario = three_clients_one_round();
  const LockEntry& lock = lock_called(scenario.lock);
  const RunPlan plan = make_plan(scenario, lock);
  Simulation simulation(servers);
  PipelineSpeed speed;
  std::uint64_t events = 0;
  Duration virtual_time{0};
  ProgressBar progress("runs", runs);
  const Stopwatch stopwatch;
  for (std::uint64_t run = 0; run < runs; ++run) {
    RunRequest request;
    request.scenario = &scenario;
    request.lock = &lock;
    request.plan = &plan;
    request.seed = run + 1;
    const RunReport report = simulation.run(request);
    events += report.events;
    virtual_time += report.true_time;
    speed.violated_runs += report.letter == Letter::safe ? 0 : 1;
    if (run == runs / 100) {
      speed.early_peak_memory_mb = peak_memory_mb();
    }
    if (run % 1024 == 0) {
      progress.advance_to(run);
    }
  }
  const double seconds = stopwatch.seconds();
  speed.runs_per_second = static_cast<double>(runs) / seconds;
  speed.virtual_per_real_second = std::chrono::duration<double>(virtual_time).count() / seconds;
  speed.events_per_run = static_cast<double>(events) / static_cast<double>(runs);
  speed.peak_memory_mb = peak_memory_mb();
  return speed;
}

}  // namespace holdfast::cli
