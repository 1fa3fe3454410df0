// holdfast explore: many runs of some locks by a strategy, to find every way they break.
#include <fmt/format.h>

#include <memory>

#include "harness/cli/explore/explore_conclusion.h"
#include "harness/cli/explore/explore_once.h"
#include "harness/cli/terminal/commands.h"
#include "harness/explore/exploration/pieces.h"
#include "harness/explore/parallel.h"
#include "harness/files/make_directory.h"
#include "harness/files/output_file.h"
#include "harness/machine/stopwatch.h"
#include "harness/text/bad_input.h"

namespace holdfast::cli {
namespace {

ExploredPieces run_with_progress(const ExplorePlan& plan, const std::string& directory, std::size_t jobs) {
  if (plan.seconds()) {  // nobody knows how many pieces there will be
    return run_pieces(plan, directory, jobs, [](std::size_t) {});
  }
  ProgressBar progress("pieces", plan.piece_count());
  return run_pieces(plan, directory, jobs, [&](std::size_t done) { progress.advance_to(done); });
}

int explore(const ExploreOptions& options, Invocation& invocation) {
  const Stopwatch watch;
  TargetShelf shelf(invocation.shelf);
  const ExplorePlan plan(request_from(options, shelf), shelf);
  const std::size_t jobs =
      options.jobs.empty() ? default_jobs() : whole_number("--jobs", options.jobs, 1, 1024);
  if (plan.targets().empty()) {
    throw BadInput(fmt::format("no lock can be explored with {}", options.scenario));
  }
  if (!options.out.empty()) {
    make_directory(options.out, "pieces");
  }
  if (plan.piece_count() == 0 && !options.json) {
    invocation.output.print(fmt::format(
        "shard {} has nothing to do: there are fewer pieces of work than shards\n", options.shard));
    return exit_well;
  }
  ExploredPieces pieces = run_with_progress(plan, options.out, jobs);
  return conclude(std::move(pieces.targets), {.runs = pieces.fresh_runs, .seconds = watch.seconds()}, shelf,
                  {.out = options.out, .json = options.json, .jobs = jobs}, invocation);
}

std::string strategies_text() {
  std::string text = "Strategies:\n";
  for (const ExplorerEntry& entry : all_explorers()) {
    text += fmt::format("  {:<12}{}\n", entry.name, entry.summary);
  }
  return text + "Exit codes: 0 nothing was found, 1 a lock was broken, 2 bad input.";
}

}  // namespace

void add_explore_command(CLI::App& app, Handler& chosen) {
  const auto options = std::make_shared<ExploreOptions>();
  Subcommand(
      app, "explore",
      "Looks for every way a lock breaks: many runs, with faults and orders of messages that a strategy "
      "chooses. Each finding is shrunk until nothing can be left out.")
      .options("--lock", options->locks, "only locks that fit this, such as 'redis-px-*'; repeatable",
               "PATTERN")
      .option("--scenario", options->scenario,
              "who does what; with the faults of its sweep, else of all families", "NAME")
      .options("--strategy", options->strategies, "see below (swarm); repeatable", "NAME")
      .option("--runs", options->runs, "of each lock (20000; all there are if the strategy ends by itself)",
              "N")
      .option("--for", options->duration, "for so long instead, such as 30s", "TIME")
      .option("--run", options->run, "only this run of all, shrunk and told as a story", "N")
      .option("--clients", options->clients, "of a family: how many (3; exhaustive: 2)", "N")
      .option("--rounds", options->rounds, "of a family: how often each takes the lock (1)", "N")
      .option(
          "--shape", options->shape,
          "of a family: what clients do in all runs (list shapes); the strategy chooses unless given, but "
          "exhaustive tries the plain one",
          "NAME")
      .option("--faults", options->faults, "at most so many in a run (2; every-step, exhaustive: 1)", "N")
      .option("--jobs", options->jobs, "threads; as many as there are processors unless given", "N")
      .option("--shard", options->shard, "do only this part of the work, such as 2/4", "I/N")
      .option("--seed", options->seed, "of all random choices", "N")
      .option("--out", options->out, "keep results here; an interrupted exploration is resumed", "DIR")
      .flag("--json", options->json, "print the findings as JSON")
      .footer(strategies_text())
      .act(chosen, [options](Invocation& invocation) {
        return options->run.empty() ? explore(*options, invocation) : explore_once(*options, invocation);
      });
}

}  // namespace holdfast::cli
