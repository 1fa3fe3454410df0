// holdfast explore: many runs of some locks by a strategy, to find every way they break; and holdfast merge,
// which puts explorations of several machines together.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "harness/cli/bad_input.h"
#include "harness/cli/bench_stopwatch.h"
#include "harness/cli/commands.h"
#include "harness/cli/exploration.h"
#include "harness/cli/glob.h"
#include "harness/cli/text_width.h"
#include "harness/explore/parallel.h"
#include "locks/mutants/catalog.h"

namespace holdfast::cli {
namespace {

constexpr std::uint64_t runs_of_a_piece = 2000;
constexpr std::uint64_t most_runs = std::uint64_t{1} << 60;
constexpr std::string_view default_scenario = "family-none";

struct ExploreOptions {
  std::vector<std::string> locks;
  std::string scenario = std::string(default_scenario);
  std::vector<std::string> strategies;
  std::string runs;
  std::string duration;
  std::string jobs;
  std::string shard = "1/1";
  std::string seed = "1";
  std::string clients;
  std::string rounds = "1";
  std::string faults;
  std::string out;
  bool json = false;
};

struct Shard {
  std::uint64_t index = 0;  // from 0
  std::uint64_t count = 1;
};

Shard shard_from(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    throw BadInput(fmt::format("--shard takes I/N, such as 1/4, not \"{}\"", shortened(printable(text), 60)));
  }
  Shard shard;
  shard.count = whole_number("--shard", text.substr(slash + 1), 1, 1'000'000);
  shard.index = whole_number("--shard", text.substr(0, slash), 1, shard.count) - 1;
  return shard;
}

// "30s", "5min"
std::optional<double> seconds_from(const std::string& text) {
  if (text.empty()) {
    return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double factor = unit == "s" ? 1 : unit == "min" ? 60 : unit == "h" ? 3600 : unit == "ms" ? 0.001 : 0;
  if (error != std::errc() || factor == 0 || value <= 0) {
    throw BadInput(fmt::format("--for takes a time such as 30s, 5min or 2h, not \"{}\"",
                               shortened(printable(text), 60)));
  }
  return value * factor;
}

// Mutants only where a pattern begins as their names do: "*" means the locks of the catalog.
std::vector<const LockEntry*> chosen_locks(const std::vector<std::string>& patterns) {
  const auto fits = [](const LockEntry& lock, const std::string& pattern) {
    return fits_glob(lock.id, pattern) && lock.id.starts_with("mutant-") == pattern.starts_with("mutant-");
  };
  std::vector<const LockEntry*> known;
  for (const LockEntry& lock : all_locks()) {
    known.push_back(&lock);
  }
  for (const MutantEntry& mutant : all_mutants()) {
    known.push_back(&mutant.lock);
  }
  for (const std::string& pattern : patterns) {
    if (std::ranges::none_of(known, [&](const LockEntry* lock) { return fits(*lock, pattern); })) {
      throw unknown_word("lock", pattern, known_names().locks, "holdfast list locks");
    }
  }
  std::erase_if(known, [&](const LockEntry* lock) {
    return patterns.empty() ? lock->id.starts_with("mutant-")
                            : std::ranges::none_of(patterns, [&](const auto& p) { return fits(*lock, p); });
  });
  return known;
}

std::vector<std::string> explorer_names() {
  std::vector<std::string> names;
  for (const ExplorerEntry& entry : all_explorers()) {
    names.emplace_back(entry.name);
  }
  return names;
}

// What there is to do, piece by piece: the same list on every machine, of which a shard takes every Nth.
std::vector<PieceName> plan_pieces(const ExploreOptions& options, const Scenario& scenario,
                                   std::size_t jobs) {
  std::vector<PieceName> pieces;
  const std::vector<std::string> strategies =
      options.strategies.empty() ? std::vector<std::string>{"swarm"} : options.strategies;
  for (const LockEntry* lock : chosen_locks(options.locks)) {
    if (!why_not_applicable(scenario, *lock).empty()) {
      if (!options.locks.empty()) {
        throw BadInput(fmt::format("{} cannot be explored with {}: {}", scenario.name, lock->id,
                                   why_not_applicable(scenario, *lock)));
      }
      continue;
    }
    for (const std::string& strategy : strategies) {
      const ExplorerEntry* const explorer = find_explorer(strategy);
      if (explorer == nullptr) {
        throw unknown_word("strategy", strategy, explorer_names(), "holdfast explore --help");
      }
      const bool small = explorer->all_of_them;
      PieceName name;
      name.lock = std::string(lock->id);
      name.scenario = options.scenario;
      name.strategy = strategy;
      name.seed = whole_number("--seed", options.seed, 0, greatest_seed);
      name.clients = static_cast<std::uint32_t>(!scenario.is_family() ? scenario.clients.size()
                                                : options.clients.empty()
                                                    ? (explorer->name == "exhaustive" ? 2 : 3)
                                                    : whole_number("--clients", options.clients, 1, 64));
      name.rounds = static_cast<std::uint32_t>(whole_number("--rounds", options.rounds, 1, 100));
      name.most_faults = static_cast<std::uint32_t>(
          options.faults.empty() ? (small ? 1 : 2) : whole_number("--faults", options.faults, 0, 16));
      const std::uint64_t runs = options.runs.empty() ? (small ? most_runs : 20'000)
                                                      : whole_number("--runs", options.runs, 1, most_runs);
      if (explorer->learns) {
        name.count = options.duration.empty() ? runs : most_runs;
        pieces.push_back(name);
      } else if (!options.duration.empty()) {
        // One for each thread, far enough apart; time ends them.
        for (std::uint64_t job = 0; job < jobs; ++job) {
          name.first = job * (most_runs / jobs);
          name.count = most_runs / jobs;
          pieces.push_back(name);
        }
      } else {
        for (name.first = 0; name.first < runs; name.first += runs_of_a_piece) {
          name.count = std::min(runs_of_a_piece, runs - name.first);
          pieces.push_back(name);
        }
      }
    }
  }
  return pieces;
}

std::string piece_file(const std::string& directory, const PieceName& name) {
  return fmt::format("{}/pieces/{}--{}--{}.json", directory, name.lock, name.strategy, name.first);
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) {
    throw BadInput(fmt::format("cannot read {}", path));
  }
  return text.str();
}

// The piece, if it was finished by an exploration that was interrupted.
std::optional<StoredPiece> finished(const std::string& directory, const PieceName& name) {
  const std::string path = piece_file(directory, name);
  if (directory.empty() || !std::filesystem::exists(path)) {
    return std::nullopt;
  }
  StoredPiece piece = piece_from(content_of(path), path);
  if (piece.name != name) {
    throw BadInput(
        fmt::format("{} belongs to another exploration; choose another --out, or remove it", path));
  }
  return piece;
}

// `fresh_runs`: those that were not there already.
std::vector<StoredPiece> run_pieces(const std::vector<PieceName>& names, const ExploreOptions& options,
                                    const Invocation& invocation, std::size_t jobs,
                                    std::atomic<std::uint64_t>& fresh_runs) {
  const std::optional<double> limit = seconds_from(options.duration);
  // Every piece has the same share of it.
  const double share = limit.value_or(0) * static_cast<double>(std::min(jobs, names.size())) /
                       static_cast<double>(std::max<std::size_t>(1, names.size()));
  std::vector<std::optional<StoredPiece>> pieces(names.size());
  const auto make_worker = [&]() -> ParallelWorker {
    const auto simulation = std::make_shared<Simulation>();
    const auto targets = std::make_shared<std::map<std::string, ExploreTarget>>();
    return [&, simulation, targets](std::size_t index) {
      const PieceName& name = names[index];
      pieces[index] = finished(options.out, name);
      if (pieces[index]) {
        return;
      }
      const Stopwatch watch;
      auto target = targets->find(name.lock + " " + name.strategy);
      if (target == targets->end()) {
        target = targets->emplace(name.lock + " " + name.strategy, target_of(name, invocation.shelf)).first;
      }
      StoredPiece piece{name, {}};
      PieceRequest request{.target = &target->second,
                           .explorer = find_explorer(name.strategy),
                           .seed = name.seed,
                           .first = name.first,
                           .count = name.count,
                           .stop_at_first = false,
                           .is_time_up = [&] { return limit && watch.seconds() > share; }};
      piece.result = explore_piece(*simulation, request);
      fresh_runs += piece.result.runs;
      if (!options.out.empty()) {
        write_file(piece_file(options.out, name), to_json_text(piece), "a piece of the exploration");
      }
      pieces[index] = std::move(piece);
    };
  };
  in_parallel(names.size(), jobs, make_worker, [](std::size_t) {});
  std::vector<StoredPiece> result;
  for (std::optional<StoredPiece>& piece : pieces) {
    if (piece) {
      result.push_back(std::move(*piece));
    }
  }
  return result;
}

bool is_safe(const std::vector<ExploredTarget>& targets) {
  return std::ranges::all_of(targets, [](const ExploredTarget& target) {
    return target.result.runs_by_letter[static_cast<std::size_t>(Letter::safe)] == target.result.runs;
  });
}

int conclude(std::vector<StoredPiece> pieces, const ExplorationPace& pace, const std::string& out, bool json,
             std::size_t jobs, Invocation& invocation) {
  std::vector<ExploredTarget> targets = put_together(std::move(pieces));
  shrink_findings(targets, invocation.shelf, out, jobs);
  if (!out.empty()) {
    write_file(out + "/campaign.json", exploration_json(targets), "the exploration");
  }
  invocation.output.print(json ? exploration_json(targets)
                               : exploration_text(targets, pace, invocation.terminal));
  return is_safe(targets) ? exit_well : exit_violated;
}

int explore(const ExploreOptions& options, Invocation& invocation) {
  Stopwatch watch;
  const Scenario scenario = invocation.shelf.take(options.scenario).scenario;
  const Shard shard = shard_from(options.shard);
  const std::size_t jobs =
      options.jobs.empty() ? default_jobs() : whole_number("--jobs", options.jobs, 1, 1024);
  const std::vector<PieceName> all = plan_pieces(options, scenario, jobs);
  std::vector<PieceName> mine;
  for (std::size_t index = 0; index < all.size(); ++index) {
    if (index % shard.count == shard.index) {
      mine.push_back(all[index]);
    }
  }
  if (!options.out.empty()) {
    std::error_code problem;
    std::filesystem::create_directories(options.out + "/pieces", problem);
    if (problem) {
      throw BadInput(fmt::format("cannot write to {}: {}", options.out, problem.message()));
    }
  }
  std::atomic<std::uint64_t> fresh_runs = 0;
  std::vector<StoredPiece> pieces = run_pieces(mine, options, invocation, jobs, fresh_runs);
  return conclude(std::move(pieces), {.runs = fresh_runs, .seconds = watch.seconds()}, options.out,
                  options.json, jobs, invocation);
}

struct MergeOptions {
  std::vector<std::string> directories;
  std::string out;
  bool json = false;
};

int merge(const MergeOptions& options, Invocation& invocation) {
  if (options.directories.empty()) {
    throw BadInput("merge wants to know which directories; \"holdfast explore --out DIR\" makes them");
  }
  std::vector<StoredPiece> pieces;
  for (const std::string& directory : options.directories) {
    std::error_code problem;
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(directory + "/pieces", problem)) {
      if (entry.path().extension() == ".json") {
        paths.push_back(entry.path().string());
      }
    }
    if (problem) {
      throw BadInput(fmt::format("{} has no pieces of an exploration: {}", directory, problem.message()));
    }
    std::ranges::sort(paths);
    for (const std::string& path : paths) {
      pieces.push_back(piece_from(content_of(path), path));
    }
  }
  return conclude(std::move(pieces), {}, options.out, options.json, default_jobs(), invocation);
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
      .option("--clients", options->clients, "of a family: how many (3; exhaustive: 2)", "N")
      .option("--rounds", options->rounds, "of a family: how often each takes the lock", "N")
      .option("--faults", options->faults, "at most so many in a run (2; every-step, exhaustive: 1)", "N")
      .option("--jobs", options->jobs, "threads; as many as there are processors unless given", "N")
      .option("--shard", options->shard, "do only this part of the work, such as 2/4", "I/N")
      .option("--seed", options->seed, "of all random choices", "N")
      .option("--out", options->out, "keep results here; an interrupted exploration is resumed", "DIR")
      .flag("--json", options->json, "print the findings as JSON")
      .footer(strategies_text())
      .act(chosen, [options](Invocation& invocation) { return explore(*options, invocation); });
}

void add_merge_command(CLI::App& app, Handler& chosen) {
  const auto options = std::make_shared<MergeOptions>();
  Subcommand(app, "merge", "Puts explorations together that were made in parts.")
      .words("DIR", options->directories, "what holdfast explore --out wrote")
      .option("--out", options->out, "write findings and campaign.json here", "DIR")
      .flag("--json", options->json, "print the findings as JSON")
      .act(chosen, [options](Invocation& invocation) { return merge(*options, invocation); });
}

}  // namespace holdfast::cli
