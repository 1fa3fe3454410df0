#include "harness/cli/report/cell_story.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/story/run_files.h"
#include "harness/cli/story/told_run.h"
#include "harness/cli/terminal/output.h"
#include "harness/explore/finding_files.h"
#include "harness/explore/shrink_cell.h"
#include "harness/explore/shrunk_run.h"
#include "harness/files/output_file.h"
#include "harness/history/jsonl.h"
#include "harness/run/replay.h"
#include "harness/run/service_findings.h"
#include "harness/scenario/shelf/shelf.h"

namespace holdfast::cli {
namespace {

using StoryJson = nlohmann::ordered_json;

class CellStory {
 public:
  CellStory(Simulation& simulation, const Matrix& matrix, std::size_t index, const std::string& directory)
      : simulation_(simulation),
        family_(matrix.families[index % matrix.families.size()]),
        lock_(*matrix.locks[index / matrix.families.size()]),
        cell_(matrix.cells[index]),
        worked_(worst_scenario(family_, cell_)),
        name_(cell_story_name(matrix, index)),
        directory_(directory) {
    told_.scenario = &worked_;
    told_.lock = &lock_;
    told_.seed = cell_.worst_seed;
    told_.placement = cell_.worst_placement;
    told_.replay_command = replay_command(worked_, lock_, cell_.worst_seed, cell_.worst_placement);
  }

  CellAnswer write(Confirmer* confirmer) {
    const std::optional<ShrunkFinding> shrunk = shrink_cell(simulation_, family_, lock_, cell_);
    if (!shrunk) {
      tell({.scenario = &worked_,
            .lock = &lock_,
            .seed = cell_.worst_seed,
            .placement = cell_.worst_placement});
      write_verdicts(nullptr);
      return {};
    }
    const std::string base = "scenarios/" + name_;
    write_finding(*shrunk, lock_, fmt::format("{}/{}", directory_, base));
    told_.replay_command = finding_command(*shrunk, base);
    told_.scenario = &shrunk->scenario;
    told_.seed = 1;
    told_.placement = std::nullopt;
    const CellAnswer answer = confirmer == nullptr ? CellAnswer{} : confirm(*shrunk, *confirmer);
    ShrunkRun run(*shrunk, lock_);
    tell(run.request());
    write_verdicts({{"clients", shrunk->scenario.clients.size()},
                    {"faults", shrunk->scenario.faults.size()},
                    {"steps", shrunk->steps},
                    {"least", shrunk->least_text()},
                    {"command", told_.replay_command}});
    return answer;
  }

 private:
  CellAnswer confirm(const ShrunkFinding& shrunk, Confirmer& confirmer) {
    if (!confirmer.can_ask_about(lock_)) {
      return {};
    }
    ShrunkRun run(shrunk, lock_);
    const Confirmation confirmation =
        confirmer.confirm(run.request(), [&] { return std::make_unique<KeptChoices>(shrunk.choices); });
    told_.confirmed = confirmation.is_confirmed;
    told_.confirmation = to_sentence(confirmation);
    return {!confirmation.is_confirmed         ? CellConfirmation::differs
            : confirmation.other_words.empty() ? CellConfirmation::agrees
                                               : CellConfirmation::agrees_in_other_words,
            confirmation.server};
  }

  void tell(RunRequest request) {
    JsonLinesWriter history(fmt::format("{}/stories/{}.jsonl", directory_, name_), history_header(told_));
    request.details = true;
    request.explain = true;
    request.sink = &history;
    told_.report = simulation_.run(request);
    told_.service = service_findings(simulation_.history(), lock_, *told_.scenario);
    history.finish(history_end(told_));
  }

  void write_verdicts(const StoryJson& shrunk) {
    StoryJson json = StoryJson::parse(to_json_text(told_));
    if (!shrunk.is_null()) {
      json["shrunk"] = shrunk;
    }
    write_file(fmt::format("{}/stories/{}.json", directory_, name_), json.dump(1) + "\n",
               "a story of the report");
  }

  Simulation& simulation_;
  const Scenario& family_;
  const LockEntry& lock_;
  const Cell& cell_;
  const Scenario worked_;  // the family, in the shape of the cell's worst run
  std::string name_;
  const std::string& directory_;
  ToldRun told_;
};

}  // namespace

CellAnswer write_cell_story(Simulation& simulation, const Matrix& matrix, std::size_t index,
                            const std::string& directory, Confirmer* confirmer) {
  return matrix.cells[index].runs == 0 ? CellAnswer{}
                                       : CellStory(simulation, matrix, index, directory).write(confirmer);
}

std::string cell_story_name(const Matrix& matrix, std::size_t index) {
  return fmt::format("{}--{}", matrix.locks[index / matrix.families.size()]->id,
                     family_name(matrix.families[index % matrix.families.size()]));
}

}  // namespace holdfast::cli
