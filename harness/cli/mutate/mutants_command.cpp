// holdfast mutants: seeds bugs into locks, one at a time, and says what finds them.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "harness/cli/mutate/mutants_text.h"
#include "harness/cli/terminal/commands.h"
#include "harness/cli/terminal/glob.h"
#include "harness/explore/exploration/exploration.h"
#include "harness/explore/parallel.h"
#include "harness/files/output_file.h"
#include "harness/machine/stopwatch.h"
#include "harness/mutate/mutants.h"
#include "harness/text/bad_input.h"
#include "locks/lookup/lookup.h"

namespace holdfast::cli {
namespace {

// Of few locks every mutant is told; of more, those that the matrix does not find.
constexpr std::size_t locks_told_in_full = 1;
constexpr std::uint64_t most_runs_of_a_mutant = 10'000'000;

struct MutantsOptions {
  std::vector<std::string> locks;
  std::string mutant;
  std::string runs = "2000";
  std::string jobs;
  std::string json;
  bool killed = false;
};

std::vector<const LockEntry*> locks_that_fit(const std::vector<std::string>& patterns) {
  check_patterns("lock", patterns, lock_ids(), "holdfast list locks");
  std::vector<const LockEntry*> chosen;
  for (const LockEntry& lock : all_locks()) {
    if (fits_any(lock.id, patterns)) {
      chosen.push_back(&lock);
    }
  }
  return chosen;
}

ScoreRequest request_of(const MutantsOptions& options, const Invocation& invocation) {
  ScoreRequest request;
  request.locks = locks_that_fit(options.locks);
  if (!options.mutant.empty()) {
    if (request.locks.size() != 1) {
      throw BadInput("--mutant is one of a single lock; say which with --lock");
    }
    const LockEntry& lock = *request.locks.front();
    // A mutant that was made by hand has an id of its own.
    const bool by_hand =
        find_mutant(options.mutant) != nullptr && find_mutant(options.mutant)->correct == lock.id;
    if (!by_hand) {
      lock_or_mutant_called(fmt::format("{}~{}", lock.id, options.mutant));
    }
    request.mutant = options.mutant;
  }
  request.families = invocation.shelf.families();
  const std::uint64_t runs = whole_number("--runs", options.runs, 0, most_runs_of_a_mutant);
  if (runs > 0 && std::ranges::count(request.families, usual_scenario, &Scenario::name) == 0) {
    throw BadInput(fmt::format("exploring takes {}, which is not in {}; --runs 0 leaves it out",
                               usual_scenario, invocation.shelf.directory()));
  }
  request.exploration = stock_exploration(request.families, *find_explorer("swarm"), runs);
  request.jobs = options.jobs.empty() ? default_jobs() : whole_number("--jobs", options.jobs, 1, 1024);
  return request;
}

int score(const MutantsOptions& options, Invocation& invocation) {
  const Stopwatch watch;
  ScoreRequest request = request_of(options, invocation);
  if (!options.json.empty()) {
    check_can_write(options.json, "the mutants");
  }
  const ExplainedSurvivors explained = explained_survivors(invocation.shelf);
  ScoredMutants scored;
  {
    std::optional<ProgressBar> progress;
    scored.locks = score_mutants(request, [&](std::size_t done, std::size_t all) {
      if (!progress) {
        progress.emplace("mutants", all);
      }
      progress->advance_to(done);
    });
  }
  scored.families = request.families;
  scored.explained = &explained;
  scored.runs = request.exploration.runs;
  TargetShelf shelf(invocation.shelf);
  scored.exploration_command = [&](const LockEntry& mutant, std::uint64_t run) {
    PieceName name;
    name.lock = std::string(mutant.id);
    name.scenario = std::string(usual_scenario);
    name.strategy = std::string(request.exploration.explorer->name);
    name.clients = request.exploration.clients;
    name.rounds = 1;
    name.most_faults = request.exploration.most_faults;
    return RunCommands(name, shelf).of(run);
  };
  if (!options.json.empty()) {
    write_file(options.json, mutants_json(scored), "the mutants");
  }
  Output& output = invocation.output;
  output.print(
      mutants_text(scored, options.killed || scored.locks.size() <= locks_told_in_full, invocation.terminal));
  output.print("\n" + score_table(scored, invocation.terminal));
  const std::vector<std::string> disputes = explained.disputes(scored.locks, options.mutant.empty());
  output.print(fmt::format("\n{:.1f} s with {} {}; what the matrix does not find was explored with {} runs\n",
                           watch.seconds(), request.jobs, request.jobs == 1 ? "job" : "jobs", scored.runs));
  for (const std::string& sentence : disputes) {
    output.print(sentence + "\n");
  }
  return disputes.empty() ? exit_well : exit_violated;
}

}  // namespace

void add_mutants_command(CLI::App& app, Handler& chosen) {
  const auto options = std::make_shared<MutantsOptions>();
  Subcommand(
      app, "mutants",
      "Seeds bugs into locks, one at a time, without touching them: a command is lost or sent twice, an "
      "option or a comparison left out, an answer misread, a clock or a thread taken for another … What "
      "survives is what nobody would notice if the lock did it.")
      .options("--lock", options->locks, "only locks that fit this, such as 'redis-px-*'; repeatable",
               "PATTERN")
      .option("--mutant", options->mutant, "only this one of the lock's mutants", "ID")
      .option("--runs", options->runs, "explore what the matrix does not find with so many runs", "N")
      .option("--jobs", options->jobs, "threads; as many as there are processors unless given", "N")
      .option("--json", options->json, "also write every mutant to this file", "FILE")
      .flag("--killed", options->killed, "also tell those of many locks that the matrix kills")
      .footer(
          "A mutant is a lock: run, explore and replay take LOCK~ID, as the commands above show.\n"
          "Exit codes: 0 all is as survivors.json says of the locks that it names, 1 it is not, "
          "2 bad input.")
      .act(chosen, [options](Invocation& invocation) { return score(*options, invocation); });
}

}  // namespace holdfast::cli
