// How many of a lock's mutants are found, and by what: how far its letters can be trusted.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/mutate/score/hunt.h"
#include "harness/stores/mutation.h"

namespace holdfast {

enum class Fate : std::uint8_t { killed_by_matrix, killed_by_exploration, survived };
std::string_view to_text(Fate fate);

struct MutantScore {
  const LockEntry* mutant = nullptr;
  MutationWords words;  // of one that was made by hand: its id, and what is wrong with it
  Fate fate = Fate::survived;
  std::uint64_t matrix_runs = 0;
  MatrixKill matrix;
  Letter honest_letter = Letter::not_applicable;  // of the lock itself, in the cell that killed the mutant
  ExplorationKill exploration;
};

struct LockScore {
  const LockEntry* lock = nullptr;
  std::vector<MutantScore> mutants;

  std::size_t count(Fate fate) const;
};

struct ScoreRequest {
  std::vector<const LockEntry*> locks;
  std::string mutant;  // only the one of this id; empty: all
  std::vector<Scenario> families;
  StockExploration exploration;
  std::size_t jobs = 1;
};

// What `exploration` is unless somebody asks for something else: swarm, so many runs of a mutant.
StockExploration stock_exploration(const std::vector<Scenario>& families, const ExplorerEntry& explorer,
                                   std::uint64_t runs);

// The result does not depend on the number of jobs. `on_done` is told how many mutants of how many are done.
std::vector<LockScore> score_mutants(const ScoreRequest& request,
                                     const std::function<void(std::size_t done, std::size_t all)>& on_done);

// "holdfast run family-crash --lock redis-px-cad~not-sent@release:EVAL --seed 1 --place 1@c1:3": shows what
// the matrix found.
std::string command_of(const MutantScore& score, const std::vector<Scenario>& families);

}  // namespace holdfast
