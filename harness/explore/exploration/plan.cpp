#include "harness/explore/exploration/plan.h"

#include <algorithm>
#include <numeric>

namespace holdfast {
namespace {

constexpr std::uint64_t all_runs = std::uint64_t{1} << 60;
constexpr std::uint64_t usual_runs = 20'000;

std::uint64_t planned_runs(const ExploreRequest& request, const ExplorerEntry& explorer) {
  return request.runs.value_or(explorer.ends_by_itself || request.seconds ? all_runs : usual_runs);
}

}  // namespace

ExplorePlan::ExplorePlan(const ExploreRequest& request, TargetShelf& shelf)
    : shard_(request.shard), shards_(request.shards), seconds_(request.seconds) {
  const Scenario& scenario = shelf.scenario(request.scenario);
  for (const LockEntry* lock : request.locks) {
    if (!why_not_applicable(scenario, *lock).empty()) {
      continue;
    }
    for (const ExplorerEntry* explorer : request.explorers) {
      add_target(request, shelf, *lock, *explorer);
    }
  }
  stride_ = shards_ / std::gcd(shards_, std::max<std::uint64_t>(1, steady_.size()));
}

void ExplorePlan::add_target(const ExploreRequest& request, TargetShelf& shelf, const LockEntry& lock,
                             const ExplorerEntry& explorer) {
  PieceName name;
  name.lock = std::string(lock.id);
  name.scenario = request.scenario;
  name.strategy = std::string(explorer.name);
  name.seed = request.seed;
  const Scenario& scenario = shelf.scenario(request.scenario);
  name.clients = scenario.is_family() ? request.clients.value_or(usual_clients(explorer))
                                      : static_cast<std::uint32_t>(scenario.clients.size());
  name.rounds = request.rounds.value_or(1);
  name.most_faults = request.most_faults.value_or(usual_faults(explorer));
  name.shape = request.shape;
  name.count = planned_runs(request, explorer);
  ExploreTarget target = shelf.target(name);
  name.content = content_hash(target);
  if (explorer.learns) {
    learning_.push_back(targets_.size());
  } else {
    steady_.push_back(targets_.size());
    rounds_ = (name.count + runs_of_a_piece - 1) / runs_of_a_piece;
  }
  targets_.push_back({name, std::move(target), &explorer, RunCommands(name, shelf)});
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

}  // namespace holdfast
