// holdfast bench kernel|pipeline|check: how fast holdfast itself is.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "harness/cli/bad_input.h"
#include "harness/cli/bench.h"
#include "harness/cli/bench_check.h"
#include "harness/cli/commands.h"

namespace holdfast::cli {
namespace {

struct BenchOptions {
  std::string what;
  std::string runs = "1000000";
  std::string events = "2000000";
  std::string rounds = "9";
  std::string operations = "10000000";
};

constexpr std::uint64_t most = 1'000'000'000;

std::string kernel_text(const BenchOptions& options) {
  const std::uint64_t events = whole_number("--events", options.events, 1000, most);
  const std::uint64_t rounds = whole_number("--rounds", options.rounds, 1, 1000);
  const KernelSpeed speed = measure_kernel(events, rounds);
  return fmt::format(
      "kernel     {:6.1f} million events/s\n"
      "bare loop  {:6.1f} million events/s  (a heap of coroutines, resumed in order)\n"
      "ratio      {:6.2f}\n"
      "medians of {} turns of {} events each\n",
      speed.kernel_events_per_second / 1e6, speed.bare_events_per_second / 1e6, speed.ratio(), rounds,
      events);
}

std::string pipeline_text(const BenchOptions& options) {
  const std::uint64_t runs = whole_number("--runs", options.runs, 100, most);
  const PipelineSpeed speed = measure_pipeline(runs);
  return fmt::format(
      "runs         {:10.0f} runs/s, complete: set up, run, record, check\n"
      "events       {:10.1f} events/run\n"
      "peak memory  {:10.1f} MB after {} runs, {:.1f} MB after the first {}\n"
      "violated     {:10} runs\n"
      "three clients with redis-px-cad, one round each, on one core\n",
      speed.runs_per_second, speed.events_per_run, speed.peak_memory_mb, runs, speed.early_peak_memory_mb,
      runs / 100 + 1, speed.violated_runs);
}

std::string check_text(const BenchOptions& options) {
  return measure_checks(whole_number("--operations", options.operations, 1000, most));
}

int bench(const BenchOptions& options, Invocation& invocation) {
  const std::vector<std::string> known{"kernel", "pipeline", "check"};
  if (options.what.empty()) {
    throw BadInput("bench wants to know what: kernel, pipeline or check");
  }
  if (std::find(known.begin(), known.end(), options.what) == known.end()) {
    throw unknown_word("benchmark", options.what, known, "holdfast bench --help");
  }
  invocation.output.print(options.what == "kernel"     ? kernel_text(options)
                          : options.what == "pipeline" ? pipeline_text(options)
                                                       : check_text(options));
  return exit_well;
}

}  // namespace

void add_bench_command(CLI::App& app, Handler& chosen) {
  const auto options = std::make_shared<BenchOptions>();
  Subcommand(app, "bench", "Measures how fast holdfast is on this machine.")
      .word(
          "WHAT", options->what,
          "kernel: events/s; pipeline: complete runs/s, and memory; check: operations/s checked, and memory")
      .option("--runs", options->runs, "pipeline: how many runs", "N")
      .option("--events", options->events, "kernel: events a turn", "N")
      .option("--rounds", options->rounds, "kernel: how many turns", "N")
      .option("--operations", options->operations, "check: of the longest history", "N")
      .act(chosen, [options](Invocation& invocation) { return bench(*options, invocation); });
}

}  // namespace holdfast::cli
