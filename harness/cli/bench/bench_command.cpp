// holdfast bench kernel|pipeline|warp|check|locks|explore: how fast holdfast itself is, how fast the locks
// are, and how fast bugs are found.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "harness/cli/bench/bench.h"
#include "harness/cli/bench/bench_check.h"
#include "harness/cli/bench/bench_explore.h"
#include "harness/cli/bench/bench_locks.h"
#include "harness/cli/terminal/commands.h"
#include "harness/cli/terminal/server_option.h"
#include "harness/cli/terminal/world.h"
#include "harness/text/bad_input.h"

namespace holdfast::cli {
namespace {

struct BenchOptions {
  std::string what;
  std::string runs;  // as many as usual
  std::string events = "2000000";
  std::string rounds = "9";
  std::string operations = "10000000";
  std::vector<std::string> servers;
  BenchLocksOptions locks;
  BenchExploreOptions explore;
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

std::uint64_t runs_of(const BenchOptions& options, const char* usually) {
  return whole_number("--runs", options.runs.empty() ? usually : options.runs, 100, most);
}

std::string pipeline_text(const BenchOptions& options) {
  constexpr std::uint64_t bare_events = 300'000;
  constexpr std::uint64_t bare_turns = 9;
  const std::uint64_t runs = runs_of(options, "1000000");
  // Before and after, so that a machine that grows busy slows both.
  const double bare_before = measure_kernel(bare_events, bare_turns).bare_events_per_second;
  const PipelineSpeed speed = measure_pipeline(runs, nullptr);
  const double bare_after = measure_kernel(bare_events, bare_turns).bare_events_per_second;
  const double bare_runs = (bare_before + bare_after) / 2 / speed.events_per_run;
  return fmt::format(
      "runs         {:10.0f} runs/s, complete: set up, run, record, check\n"
      "bare loop    {:10.0f} runs/s, if a run were its events alone: a heap of coroutines, resumed in order\n"
      "ratio        {:10.3f}\n"
      "events       {:10.1f} events/run\n"
      "peak memory  {:10.1f} MB after {} runs, {:.1f} MB after the first {}\n"
      "violated     {:10} runs\n"
      "three clients with redis-px-cad, one round each, on one core\n",
      speed.runs_per_second, bare_runs, speed.runs_per_second / bare_runs, speed.events_per_run,
      speed.peak_memory_mb, runs, speed.early_peak_memory_mb, runs / 100 + 1, speed.violated_runs);
}

std::string warp_text(const BenchOptions& options) {
  const std::uint64_t runs = runs_of(options, "5000");
  const live::ServerPrograms programs = server_programs_from(options.servers);
  const World world("warp", programs);
  const WarpSpeed speed = measure_warp(runs, *world.servers(), programs);
  return fmt::format(
      "steps        {:10.0f} commands/s carried out by {}\n"
      "bare loop    {:10.0f} commands/s, one after the other over such a socket, the clock set before "
      "each\n"
      "ratio        {:10.2f}\n"
      "runs         {:10.0f} runs/s, complete: set up, run, record, check\n"
      "time         {:10.0f} s of virtual time a second\n"
      "violated     {:10} runs\n"
      "three clients with redis-px-cad, one round each, {:.1f} commands a run, on one core\n",
      speed.commands_per_second, world.servers()->name_of(pipeline_store()), speed.bare_commands_per_second,
      speed.ratio, speed.runs_per_second, speed.virtual_per_real_second, speed.violated_runs,
      speed.commands_per_run);
}

std::string check_text(const BenchOptions& options) {
  return measure_checks(whole_number("--operations", options.operations, 1000, most));
}

std::string locks_text(const BenchOptions& options, const Invocation& invocation) {
  BenchLocksOptions locks = options.locks;
  locks.programs = server_programs_from(options.servers);
  return measure_locks(locks, invocation.terminal);
}

int explore_bench(const BenchOptions& options, Invocation& invocation) {
  BenchExploreOptions explore = options.explore;
  explore.runs = runs_of(options, "2000");
  const ExploreBench measured = measure_explore(explore, invocation.shelf);
  invocation.output.print(bench_explore_text(measured, invocation.terminal));
  return measured.is_well() ? exit_well : exit_violated;
}

int bench(const BenchOptions& options, Invocation& invocation) {
  const std::vector<std::string> known{"kernel", "pipeline", "warp", "check", "locks", "explore"};
  if (options.what.empty()) {
    throw BadInput("bench wants to know what: kernel, pipeline, warp, check, locks or explore");
  }
  if (std::find(known.begin(), known.end(), options.what) == known.end()) {
    throw unknown_word("benchmark", options.what, known, "holdfast bench --help");
  }
  if (!options.servers.empty() && options.what != "warp" && options.what != "locks") {
    throw BadInput(
        fmt::format("--server is for bench warp and bench locks; bench {} starts no server", options.what));
  }
  if (options.what == "explore") {
    return explore_bench(options, invocation);
  }
  invocation.output.print(options.what == "kernel"     ? kernel_text(options)
                          : options.what == "pipeline" ? pipeline_text(options)
                          : options.what == "warp"     ? warp_text(options)
                          : options.what == "check"    ? check_text(options)
                                                       : locks_text(options, invocation));
  return exit_well;
}

}  // namespace

void add_bench_command(CLI::App& app, Handler& chosen) {
  const auto options = std::make_shared<BenchOptions>();
  Subcommand(app, "bench", "Measures how fast holdfast is on this machine.")
      .word(
          "WHAT", options->what,
          "kernel: events/s; pipeline: complete runs/s, and memory; warp: commands/s of a real server on "
          "virtual time; check: operations/s checked, and memory; locks: cycles/s, latency, fairness and CPU "
          "of every lock on real servers; explore: runs and seconds until each mutant is found by each "
          "strategy")
      .option("--runs", options->runs,
              "pipeline (1000000), warp (5000), explore (2000 a lock): how many runs", "N")
      .option("--events", options->events, "kernel: events a turn", "N")
      .option("--rounds", options->rounds, "kernel: how many turns", "N")
      .option("--operations", options->operations, "check: of the longest history", "N")
      .options("--lock", options->locks.locks,
               "locks: only those that fit this, such as 'redis-px-*'; repeatable", "PATTERN")
      .option("--clients", options->locks.clients, "locks: how many at a time", "LIST")
      .option("--for", options->locks.lasts, "locks: how long each is measured", "TIME")
      .options("--strategy", options->explore.strategies, "explore: only this one; repeatable", "NAME")
      .option("--mutant", options->explore.mutants, "explore: only those that fit this", "PATTERN")
      .with(add_server_option, options->servers)
      .flag("--json", options->locks.json, "locks: print JSON instead of the table")
      .act(chosen, [options](Invocation& invocation) { return bench(*options, invocation); });
}

}  // namespace holdfast::cli
