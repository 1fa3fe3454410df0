#include "harness/cli/explore/explore_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "harness/cli/terminal/bad_input.h"
#include "harness/cli/terminal/commands.h"
#include "harness/cli/terminal/glob.h"
#include "harness/text/text_width.h"
#include "locks/redis/mutants/catalog.h"

namespace holdfast::cli {
namespace {

constexpr std::uint64_t most_runs_asked_for = 1'000'000'000;
constexpr std::uint64_t all_runs = std::uint64_t{1} << 60;
constexpr std::uint64_t usual_runs = 20'000;
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

// Mutants only where a pattern begins as their names do: "*" means the locks of the catalog.
std::vector<const LockEntry*> chosen_locks(const std::vector<std::string>& patterns) {
  const auto fits = [](const LockEntry& lock, const std::string& pattern) {
    return fits_glob(lock.id, pattern) && lock.id.starts_with("mutant-") == pattern.starts_with("mutant-");
  };
  std::vector<const LockEntry*> known = every_lock();
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

std::uint64_t planned_runs(const ExploreOptions& options, const ExplorerEntry& explorer) {
  if (!options.runs.empty()) {
    return whole_number("--runs", options.runs, 1, most_runs_asked_for);
  }
  return explorer.all_of_them || !options.duration.empty() ? all_runs : usual_runs;
}

std::uint32_t small_number(std::string_view option, const std::string& text, std::uint32_t usual,
                           std::uint64_t least, std::uint64_t most) {
  return text.empty() ? usual : static_cast<std::uint32_t>(whole_number(option, text, least, most));
}

}  // namespace

std::vector<const LockEntry*> every_lock() {
  std::vector<const LockEntry*> locks;
  for (const LockEntry& lock : all_locks()) {
    locks.push_back(&lock);
  }
  for (const MutantEntry& mutant : all_mutants()) {
    locks.push_back(&mutant.lock);
  }
  return locks;
}

ExplorePlan::ExplorePlan(const ExploreOptions& options, TargetShelf& shelf)
    : seconds_(seconds_from(options.duration)) {
  check_name(options.scenario);
  const Scenario& scenario = shelf.scenario(options.scenario);
  check_fit(options, scenario);
  const std::size_t slash = options.shard.find('/');
  if (slash == std::string::npos) {
    throw BadInput(
        fmt::format("--shard takes I/N, such as 1/4, not \"{}\"", shortened(printable(options.shard), 60)));
  }
  shards_ = whole_number("--shard", options.shard.substr(slash + 1), 1, 1'000'000);
  shard_ = whole_number("--shard", options.shard.substr(0, slash), 1, shards_) - 1;
  const std::vector<const ExplorerEntry*> explorers =
      explorers_called(options.strategies.empty() ? std::vector<std::string>{"swarm"} : options.strategies);
  for (const LockEntry* lock : chosen_locks(options.locks)) {
    const std::string reason = why_not_applicable(scenario, *lock);
    if (!reason.empty() && !options.locks.empty()) {
      throw BadInput(fmt::format("{} cannot be explored with {}: {}", scenario.name, lock->id, reason));
    }
    for (const ExplorerEntry* explorer : explorers) {
      if (reason.empty()) {
        add_target(options, shelf, *lock, *explorer);
      }
    }
  }
  stride_ = shards_ / std::gcd(shards_, std::max<std::uint64_t>(1, steady_.size()));
}

void ExplorePlan::add_target(const ExploreOptions& options, TargetShelf& shelf, const LockEntry& lock,
                             const ExplorerEntry& explorer) {
  PlannedTarget planned;
  planned.explorer = &explorer;
  PieceName& name = planned.name;
  name.lock = std::string(lock.id);
  name.scenario = options.scenario;
  name.strategy = std::string(explorer.name);
  name.seed = whole_number("--seed", options.seed, 0, greatest_seed);
  const Scenario& scenario = shelf.scenario(options.scenario);
  name.clients = scenario.is_family()
                     ? small_number("--clients", options.clients, usual_clients(explorer), 1, 64)
                     : static_cast<std::uint32_t>(scenario.clients.size());
  name.rounds = small_number("--rounds", options.rounds, 1, 1, 100);
  name.most_faults = small_number("--faults", options.faults, usual_faults(explorer), 0, 16);
  name.count = planned_runs(options, explorer);
  planned.target = shelf.target(name);
  name.content = content_hash(planned.target);
  if (explorer.learns) {
    learning_.push_back(targets_.size());
  } else {
    steady_.push_back(targets_.size());
    rounds_ = (name.count + runs_of_a_piece - 1) / runs_of_a_piece;
  }
  targets_.push_back(std::move(planned));
}

std::uint64_t ExplorePlan::piece_count() const {
  const std::uint64_t all = learning_.size() + rounds_ * steady_.size();
  return all <= shard_ ? 0 : (all - shard_ + shards_ - 1) / shards_;
}

PlannedPiece ExplorePlan::piece(std::uint64_t number) const {
  const std::uint64_t index = shard_ + number * shards_;
  if (index < learning_.size()) {
    return {learning_[index], 0, targets_[learning_[index]].name};
  }
  const std::uint64_t rest = index - learning_.size();
  const std::uint64_t round = rest / steady_.size();
  PlannedPiece piece{steady_[rest % steady_.size()], round / stride_, {}};
  piece.name = targets_[piece.target].name;
  piece.name.first = round * runs_of_a_piece;
  piece.name.count = std::min(runs_of_a_piece, piece.name.count - piece.name.first);
  return piece;
}

// Pieces of the same target come again after `stride_` rounds at the latest.
bool ExplorePlan::has_piece_of(std::size_t target) const {
  const std::uint64_t rounds = std::min(rounds_, stride_);
  const std::uint64_t looks = learning_.size() + rounds * steady_.size();
  for (std::uint64_t number = 0; number < piece_count() && shard_ + number * shards_ < looks; ++number) {
    if (piece(number).target == target) {
      return true;
    }
  }
  return false;
}

double ExplorePlan::seconds_of_a_learner(std::size_t jobs) const {
  std::size_t mine = 0;
  for (std::size_t target = 0; target < targets_.size(); ++target) {
    mine += has_piece_of(target) ? 1 : 0;
  }
  const std::size_t turns = std::max<std::size_t>(1, (mine + jobs - 1) / jobs);
  return seconds_.value_or(0) / static_cast<double>(turns);
}

}  // namespace holdfast::cli
