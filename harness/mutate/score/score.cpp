#include "harness/mutate/score/score.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "harness/explore/exploration/exploration.h"
#include "harness/explore/parallel.h"
#include "harness/kernel/require.h"
#include "harness/mutate/mutants.h"
#include "harness/run/replay.h"
#include "locks/mutants/catalog.h"

namespace holdfast {
namespace {

// Of a lock of the catalog: those that were found, then those of the zoo, without their scopes.
std::vector<MutantScore> all_mutants_of(const LockEntry& lock) {
  std::vector<MutantScore> list;
  for (const auto& each : mutants_of(lock)) {
    MutantScore score;
    score.mutant = &each->entry();
    score.words = each->mutation().words();
    list.push_back(std::move(score));
  }
  for (const MutantEntry& each : all_mutants()) {
    if (each.correct == lock.id) {
      MutantScore score;
      score.mutant = &each.lock;
      score.words = {std::string(each.lock.id), std::string(each.bug),
                     "it is not: it was seen to do harm in a scope of its own",
                     "the scope in which it was seen to do harm"};
      list.push_back(std::move(score));
    }
  }
  return list;
}

struct MutantPlace {
  std::size_t lock = 0;
  std::size_t mutant = 0;
};

void hunt(Simulation& simulation, MutantScore& score, const HonestLock& honest, const ScoreRequest& request) {
  if (const std::optional<MatrixKill> kill =
          hunt_in_matrix(simulation, *score.mutant, honest, request.families, score.matrix_runs)) {
    score.fate = Fate::killed_by_matrix;
    score.matrix = *kill;
    score.honest_letter = honest.letter(kill->family);
    return;
  }
  if (const std::optional<ExplorationKill> kill =
          hunt_by_exploring(simulation, *score.mutant, honest, request.exploration)) {
    score.fate = Fate::killed_by_exploration;
    score.exploration = *kill;
  }
}

}  // namespace

std::string_view to_text(Fate fate) {
  constexpr std::array<std::string_view, 3> names{"matrix", "exploration", "survived"};
  return names.at(static_cast<std::size_t>(fate));
}

std::size_t LockScore::count(Fate fate) const {
  return static_cast<std::size_t>(std::ranges::count(mutants, fate, &MutantScore::fate));
}

StockExploration stock_exploration(const std::vector<Scenario>& families, const ExplorerEntry& explorer,
                                   std::uint64_t runs) {
  StockExploration stock;
  stock.explorer = &explorer;
  const auto usual = std::ranges::find(families, usual_scenario, &Scenario::name);
  require(usual != families.end() || runs == 0, "who explores has the usual scenario");
  if (usual != families.end()) {
    stock.scenario = *usual;
  }
  stock.menu = menu_of(families);
  stock.runs = runs;
  stock.clients = usual_clients(explorer);
  stock.most_faults = usual_faults(explorer);
  return stock;
}

std::vector<LockScore> score_mutants(const ScoreRequest& request,
                                     const std::function<void(std::size_t done, std::size_t all)>& on_done) {
  std::vector<LockScore> scores;
  std::vector<MutantPlace> places;
  for (const LockEntry* const lock : request.locks) {
    LockScore score{lock, all_mutants_of(*lock)};
    if (!request.mutant.empty()) {
      std::erase_if(score.mutants, [&](const MutantScore& each) { return each.words.id != request.mutant; });
    }
    for (std::size_t mutant = 0; mutant < score.mutants.size(); ++mutant) {
      places.push_back({scores.size(), mutant});
    }
    scores.push_back(std::move(score));
  }
  std::vector<std::optional<HonestLock>> honest(scores.size());
  const auto look = [&]() -> ParallelWorker {
    const auto simulation = std::make_shared<Simulation>();
    return [&, simulation](std::size_t index) {
      honest[index].emplace(*simulation, *scores[index].lock, request.families, request.exploration);
    };
  };
  in_parallel(scores.size(), request.jobs, look, [](std::size_t) {});
  const auto hunters = [&]() -> ParallelWorker {
    return [&](std::size_t index) {
      // One of its own for each: a lock that threw leaves one in which nobody should go on.
      Simulation simulation;
      const MutantPlace& place = places[index];
      hunt(simulation, scores[place.lock].mutants[place.mutant], *honest[place.lock], request);
    };
  };
  in_parallel(places.size(), request.jobs, hunters, [&](std::size_t done) { on_done(done, places.size()); });
  return scores;
}

std::string command_of(const MutantScore& score, const std::vector<Scenario>& families) {
  Cell worst;
  worst.worst_shape = score.matrix.shape;
  return replay_command(worst_scenario(families[score.matrix.family], worst), *score.mutant,
                        score.matrix.seed, score.matrix.placement);
}

}  // namespace holdfast
