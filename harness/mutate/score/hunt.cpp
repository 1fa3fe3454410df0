#include "harness/mutate/score/hunt.h"

#include <algorithm>
#include <exception>

namespace holdfast {
namespace {

// So many runs are looked through at once.
constexpr std::uint64_t runs_at_once = 250;

}  // namespace

std::optional<MatrixKill> hunt_in_matrix(Simulation& simulation, const LockEntry& mutant,
                                         const HonestLock& honest, const std::vector<Scenario>& families,
                                         std::uint64_t& runs) {
  for (std::size_t index = 0; index < families.size(); ++index) {
    try {
      const Cell cell =
          sweep(simulation, families[index], mutant, 1, SweepDepth::usual, honest.letter(index));
      runs += cell.runs;
      if (cell.letter > honest.letter(index)) {
        return MatrixKill{index, cell.letter, cell.worst_shape, cell.worst_seed, cell.worst_placement, {}};
      }
    } catch (const std::exception& problem) {
      // What it was told made the lock throw: nobody can miss that.
      return MatrixKill{index, Letter::always_error, {}, 1, std::nullopt, problem.what()};
    }
  }
  return std::nullopt;
}

std::optional<ExplorationKill> hunt_by_exploring(Simulation& simulation, const LockEntry& mutant,
                                                 const HonestLock& honest,
                                                 const StockExploration& exploration) {
  if (!why_not_applicable(exploration.scenario, mutant).empty()) {
    return std::nullopt;
  }
  const ExploreTarget target = exploration.target(mutant);
  const std::uint64_t at_once = exploration.explorer->learns ? exploration.runs : runs_at_once;
  for (std::uint64_t first = 0; first < exploration.runs; first += at_once) {
    PieceRequest request;
    request.target = &target;
    request.explorer = exploration.explorer;
    request.first = first;
    request.count = std::min(at_once, exploration.runs - first);
    PieceResult piece = explore_piece(simulation, request);
    std::ranges::sort(piece.findings, {}, &ExploreFinding::run);
    for (const ExploreFinding& finding : piece.findings) {
      const bool is_decided = finding.letter != Letter::undecided;
      if (is_decided && !honest.can_come_to(finding.letter, kinds_of(finding.faults))) {
        return ExplorationKill{finding.run, finding.letter, finding.kinds()};
      }
    }
    if (piece.has_every_run) {
      break;
    }
  }
  return std::nullopt;
}

}  // namespace holdfast
