// What `holdfast mutants` found, for people and for programs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/cli/terminal/terminal.h"
#include "harness/mutate/score/explained.h"
#include "harness/mutate/score/score.h"

namespace holdfast::cli {

struct ScoredMutants {
  std::vector<LockScore> locks;
  std::vector<Scenario> families;
  const ExplainedSurvivors* explained = nullptr;
  std::uint64_t runs = 0;  // of an exploration
  // The command that shows what a run of the exploration of a mutant found.
  std::function<std::string(const LockEntry& mutant, std::uint64_t run)> exploration_command;
};

// One row a lock, and the sum of all.
std::string score_table(const ScoredMutants& scored, const Terminal& terminal);
// Each mutant of each lock: what killed it and the command that shows it, or what its survival says.
// `with_killed`: also those that the matrix killed.
std::string mutants_text(const ScoredMutants& scored, bool with_killed, const Terminal& terminal);
std::string mutants_json(const ScoredMutants& scored);

}  // namespace holdfast::cli
