#include "harness/cli/explore/explore_conclusion.h"
#include "harness/files/output_file.h"

#include <algorithm>
#include <optional>

#include "harness/explore/exploration/exploration_json.h"

namespace holdfast::cli {
namespace {

bool has(const ExploredTarget& target, Letter letter) {
  return target.result.runs_by_letter[static_cast<std::size_t>(letter)] > 0;
}

// Of all runs.
Letter worst_letter(const std::vector<ExploredTarget>& targets) {
  for (const Letter letter : letters_worst_first) {
    if (std::ranges::any_of(targets, [&](const ExploredTarget& target) { return has(target, letter); })) {
      return letter;
    }
  }
  return Letter::safe;  // no time was left for any
}

}  // namespace

int conclude(std::vector<ExploredTarget> targets, const ExplorationPace& pace, TargetShelf& shelf,
             const ConclusionOptions& options, Invocation& invocation) {
  {
    std::optional<ProgressBar> progress;
    report_findings(targets, shelf, options.out, options.jobs, [&](std::size_t done, std::size_t all) {
      if (!progress) {
        progress.emplace("findings shrunk", all);
      }
      progress->advance_to(done);
    });
  }
  if (!options.out.empty()) {
    write_file(options.out + "/campaign.json", exploration_json(targets, CommandPaths::in_directory),
               "the exploration");
  }
  invocation.output.print(options.json ? exploration_json(targets, CommandPaths::as_given)
                                       : exploration_text(targets, pace, invocation.terminal));
  return exit_code_of(worst_letter(targets));
}

}  // namespace holdfast::cli
