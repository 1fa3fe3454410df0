#include "harness/cli/report_data.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/bad_input.h"
#include "harness/cli/list_json.h"
#include "harness/cli/run_files.h"
#include "harness/cli/service_findings.h"
#include "harness/cli/told_run.h"
#include "harness/explore/envelope.h"
#include "harness/explore/parallel.h"
#include "harness/explore/shrink_cell.h"
#include "harness/history/jsonl.h"
#include "harness/scenario/save.h"

namespace holdfast::cli {
namespace {

using ReportJson = nlohmann::ordered_json;

// One cell: its worst run, or what that was shrunk to.
class CellStory {
 public:
  CellStory(Simulation& simulation, const Matrix& matrix, std::size_t index, const std::string& directory)
      : simulation_(simulation),
        family_(matrix.families[index % matrix.families.size()]),
        lock_(*matrix.locks[index / matrix.families.size()]),
        cell_(matrix.cells[index]),
        name_(fmt::format("{}--{}", lock_.id, family_name(family_))),
        directory_(directory) {
    told_.scenario = &family_;
    told_.lock = &lock_;
    told_.seed = cell_.worst_seed;
    told_.placement = cell_.worst_placement;
    told_.replay_command = replay_command(family_, lock_, cell_.worst_seed, cell_.worst_placement);
  }

  void write() {
    if (cell_.runs == 0) {
      return;
    }
    ReportJson shrunk_json = nullptr;
    const std::optional<ShrunkFinding> shrunk = shrink_cell(simulation_, family_, lock_, cell_);
    RunRequest request{
        .scenario = &family_, .lock = &lock_, .seed = told_.seed, .placement = told_.placement};
    std::unique_ptr<KeptChoices> choices;
    Scope scope{.menu = {}, .most_faults = 0, .reorders = false};
    if (shrunk) {
      const std::string file = fmt::format("{}/scenarios/{}.json", directory_, name_);
      write_file(file, to_json_text(shrunk->scenario), "a scenario of the report");
      shrunk_json = {{"clients", shrunk->scenario.clients.size()},
                     {"faults", shrunk->scenario.faults.size()},
                     {"steps", shrunk->steps},
                     {"least", shrunk->least_text()},
                     {"command", fmt::format("holdfast run scenarios/{}.json", name_)}};
      told_.scenario = &shrunk->scenario;
      told_.seed = 1;
      told_.placement = std::nullopt;
      choices = std::make_unique<KeptChoices>(shrunk->choices);
      scope.reorders = shrunk->reorders;
      request = {.scenario = &shrunk->scenario, .lock = &lock_, .seed = 1, .placement = std::nullopt};
      request.strategy = choices.get();
      request.scope = &scope;
    }
    run(request);
    write_verdicts(shrunk_json);
  }

 private:
  void run(RunRequest& request) {
    JsonLinesWriter history(fmt::format("{}/stories/{}.jsonl", directory_, name_), history_header(told_));
    request.details = true;
    request.explain = true;
    request.sink = &history;
    told_.report = simulation_.run(request);
    told_.service = service_findings(simulation_.history(), lock_, *told_.scenario);
    history.finish(history_end(told_));
  }

  void write_verdicts(const ReportJson& shrunk) {
    ReportJson json = ReportJson::parse(cli::to_json_text(told_));
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
  std::string name_;
  const std::string& directory_;
  ToldRun told_;
};

void write_certificates(const Matrix& matrix, const std::string& directory, std::size_t jobs) {
  std::vector<std::string> paragraphs(matrix.locks.size());
  const auto make_worker = [&]() -> Worker {
    const auto simulation = std::make_shared<Simulation>();
    return [&, simulation](std::size_t index) {
      if (matrix.locks[index]->kind == LockKind::mutex) {
        paragraphs[index] = certificate(*simulation, *matrix.locks[index]);
      }
    };
  };
  in_parallel(paragraphs.size(), jobs, make_worker, [](std::size_t) {});
  ReportJson json = ReportJson::object();
  for (std::size_t index = 0; index < paragraphs.size(); ++index) {
    if (!paragraphs[index].empty()) {
      json[std::string(matrix.locks[index]->id)] = paragraphs[index];
    }
  }
  write_file(directory + "/certificates.json", json.dump(1) + "\n", "the certificates");
}

}  // namespace

void write_report_data(const Matrix& matrix, const std::string& directory, std::size_t jobs,
                       const Invocation& invocation) {
  for (const char* part : {"/stories", "/scenarios"}) {
    std::error_code problem;
    std::filesystem::create_directories(directory + part, problem);
    if (problem) {
      throw BadInput(fmt::format("cannot write to {}: {}", directory, problem.message()));
    }
  }
  const std::optional<ExpectedTable> expected = invocation.shelf.expected();
  write_file(directory + "/matrix.json", matrix_json(matrix, expected ? &*expected : nullptr), "the matrix");
  write_file(directory + "/locks.json", locks_json_text(), "the catalog");
  const auto make_worker = [&]() -> Worker {
    const auto simulation = std::make_shared<Simulation>();
    return [&, simulation](std::size_t index) { CellStory(*simulation, matrix, index, directory).write(); };
  };
  in_parallel(matrix.cells.size(), jobs, make_worker, [](std::size_t) {});
  write_certificates(matrix, directory, jobs);
}

}  // namespace holdfast::cli
