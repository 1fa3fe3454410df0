#include "harness/explore/exploration/exploration_json.h"

#include <nlohmann/json.hpp>

#include "harness/explore/exploration/left_out.h"
#include "harness/explore/exploration/never_reached.h"
#include "harness/scenario/file/save.h"

namespace holdfast {
namespace {

using ExplorationJson = nlohmann::ordered_json;

ExplorationJson finding_json(const ReportedFinding& found, CommandPaths paths) {
  const ShrunkFinding& story = found.story;
  return {{"letter", to_text(story.letter)},
          {"run", found.run},
          {"shrunk", found.is_shrunk},
          {"clients", story.scenario.clients.size()},
          {"faults", story.scenario.faults.size()},
          {"steps", story.steps},
          {"least", story.least_text()},
          {"any_seed", found.is_shrunk && story.choices.empty()},
          {"command", paths == CommandPaths::as_given ? found.command : found.command_in_directory},
          {"scenario", ExplorationJson::parse(to_json_text(story.scenario))}};
}

ExplorationJson target_json(const ExploredTarget& target, CommandPaths paths) {
  const PieceResult& result = target.result;
  ExplorationJson json{{"lock", target.name.lock},
                       {"scenario", target.name.scenario},
                       {"strategy", target.name.strategy},
                       {"seed", target.name.seed},
                       {"clients", target.name.clients},
                       {"rounds", target.name.rounds},
                       {"faults", target.name.most_faults},
                       {"shape", target.name.shape},
                       {"runs", result.runs},
                       {"has_every_run", result.has_every_run},
                       {"findings", ExplorationJson::array()}};
  for (std::size_t letter = 0; letter < result.runs_by_letter.size(); ++letter) {
    if (result.runs_by_letter[letter] > 0) {
      json["runs_by_letter"][std::string(to_text(static_cast<Letter>(letter)))] =
          result.runs_by_letter[letter];
    }
  }
  if (result.has_every_run) {
    json["left_out"] = left_out(target.name);
  }
  for (const ReportedFinding& found : target.findings) {
    json["findings"].push_back(finding_json(found, paths));
  }
  for (const ExploreFinding& finding : target.not_reproduced) {
    json["not_reproduced"].push_back({{"letter", to_text(finding.letter)}, {"run", finding.run}});
  }
  return json;
}

}  // namespace

std::string exploration_json(const std::vector<ExploredTarget>& targets, CommandPaths paths) {
  ExplorationJson json{{"format", "holdfast-campaign"}, {"version", 2}};
  std::uint64_t runs = 0;
  json["targets"] = ExplorationJson::array();
  for (const ExploredTarget& target : targets) {
    runs += target.result.runs;
    json["targets"].push_back(target_json(target, paths));
  }
  json["runs"] = runs;
  json["never_reached"] = never_reached(targets);
  // A directory may be called anything.
  return json.dump(1, ' ', false, ExplorationJson::error_handler_t::replace) + "\n";
}

}  // namespace holdfast
