#include "harness/cli/explore/explore_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "harness/cli/terminal/commands.h"
#include "harness/cli/terminal/glob.h"
#include "harness/mutate/mutants.h"
#include "harness/text/bad_input.h"
#include "harness/text/text_width.h"
#include "harness/workload/shapes.h"
#include "locks/lookup/lookup.h"

namespace holdfast::cli {
namespace {

constexpr std::uint64_t most_runs_asked_for = 1'000'000'000;
constexpr double longest_time = 10 * 24 * 3600.0;

// "30s", "5min"
std::optional<double> seconds_from(const std::string& text) {
  if (text.empty()) {
    return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double factor = unit == "s" ? 1 : unit == "min" ? 60 : unit == "h" ? 3600 : unit == "ms" ? 0.001 : 0;
  const double seconds = value * factor;
  // Whatever is no number is not between them either.
  if (error != std::errc() || !(std::isfinite(seconds) && seconds > 0 && seconds <= longest_time)) {
    throw BadInput(fmt::format("--for takes a time such as 30s, 5min or 2h, of 10 days at most, not \"{}\"",
                               shortened(printable(text), 60)));
  }
  return seconds;
}

// Mutants only where a pattern begins as their names do: "*" means the locks of the catalog. One that
// `holdfast mutants` made is named in full.
std::vector<const LockEntry*> chosen_locks(const std::vector<std::string>& patterns) {
  const auto fits = [](const LockEntry& lock, const std::string& pattern) {
    return fits_glob(lock.id, pattern) && lock.id.starts_with("mutant-") == pattern.starts_with("mutant-");
  };
  std::vector<const LockEntry*> known = every_lock();
  for (const std::string& pattern : patterns) {
    if (pattern.find('~') != std::string::npos) {
      known.push_back(&lock_or_mutant_called(pattern));
    }
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

// What cannot be meant together.
void check_fit(const ExploreOptions& options, const Scenario& scenario) {
  if (!options.runs.empty() && !options.duration.empty()) {
    throw BadInput("--runs and --for exclude each other; say how many runs, or for how long");
  }
  if (!options.run.empty() && (!options.runs.empty() || !options.duration.empty() || !options.out.empty() ||
                               options.shard != ExploreOptions{}.shard)) {
    throw BadInput("--run makes a single run; it goes without --runs, --for, --shard and --out");
  }
  if (!scenario.is_family() && (!options.clients.empty() || !options.rounds.empty())) {
    throw BadInput(fmt::format("{} says itself who its clients are; --clients and --rounds are for families",
                               scenario.name));
  }
}

// It goes into files that are UTF-8.
void check_name(const std::string& scenario) {
  if (printable(scenario) != scenario) {
    throw BadInput(fmt::format("--scenario: \"{}\" is not printable UTF-8; give the file another name",
                               shortened(printable(scenario), 60)));
  }
}

// None: as usual.
std::optional<std::uint32_t> small_number(std::string_view option, const std::string& text,
                                          std::uint64_t least, std::uint64_t most) {
  return text.empty() ? std::nullopt
                      : std::optional(static_cast<std::uint32_t>(whole_number(option, text, least, most)));
}

// "2/4"
void take_shard(ExploreRequest& request, const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    throw BadInput(fmt::format("--shard takes I/N, such as 1/4, not \"{}\"", shortened(printable(text), 60)));
  }
  request.shards = whole_number("--shard", text.substr(slash + 1), 1, 1'000'000);
  request.shard = whole_number("--shard", text.substr(0, slash), 1, request.shards) - 1;
}

// A lock that was asked for by name must suit the scenario.
void check_applicable(const ExploreRequest& request, const Scenario& scenario) {
  for (const LockEntry* lock : request.locks) {
    if (const std::string reason = why_not_applicable(scenario, *lock); !reason.empty()) {
      throw BadInput(fmt::format("{} cannot be explored with {}: {}", scenario.name, lock->id, reason));
    }
  }
}

// Locks that it does not suit are left out; if there is none left, why.
void take_shape(ExploreRequest& request, const Scenario& scenario, const std::string& id) {
  const auto suits_not = [&](const LockEntry* lock) {
    return std::ranges::count(shapes_for(scenario, *lock), find_shape(id)) == 0;
  };
  if (std::ranges::all_of(request.locks, suits_not)) {
    shape_called(id, scenario, *request.locks.front());  // throws
  }
  std::erase_if(request.locks, suits_not);
  request.shape = id;
}

}  // namespace

ExploreRequest request_from(const ExploreOptions& options, TargetShelf& shelf) {
  ExploreRequest request;
  request.seconds = seconds_from(options.duration);
  check_name(options.scenario);
  request.scenario = options.scenario;
  const Scenario& scenario = shelf.scenario(options.scenario);
  check_fit(options, scenario);
  take_shard(request, options.shard);
  request.explorers =
      explorers_called(options.strategies.empty() ? std::vector<std::string>{"swarm"} : options.strategies);
  request.locks = chosen_locks(options.locks);
  if (!options.locks.empty()) {
    check_applicable(request, scenario);
  }
  if (!options.shape.empty()) {
    take_shape(request, scenario, options.shape);
  }
  request.seed = whole_number("--seed", options.seed, 0, greatest_seed);
  request.clients = small_number("--clients", options.clients, 1, 64);
  request.rounds = small_number("--rounds", options.rounds, 1, 100);
  request.most_faults = small_number("--faults", options.faults, 0, 16);
  if (!options.runs.empty()) {
    request.runs = whole_number("--runs", options.runs, 1, most_runs_asked_for);
  }
  return request;
}

}  // namespace holdfast::cli
