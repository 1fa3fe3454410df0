#include "harness/explore/exploration/exploration.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <tuple>

#include "harness/explore/finding_files.h"
#include "harness/explore/parallel.h"
#include "harness/explore/shrink_steps.h"
#include "harness/explore/shrunk_run.h"
#include "harness/files/make_directory.h"
#include "harness/files/output_file.h"
#include "harness/kernel/require.h"
#include "harness/mutate/mutants.h"
#include "harness/scenario/file/load.h"
#include "harness/scenario/file/save.h"
#include "harness/text/bad_input.h"
#include "harness/text/shell_word.h"

namespace holdfast {
namespace {

constexpr std::size_t longest_name_part = 80;  // file systems take 255 bytes for the whole

ExploreTarget make_named(const PieceName& name, const Scenario& scenario,
                         const std::vector<FaultSpec>& menu) {
  const ExplorerEntry* const explorer = find_explorer(name.strategy);
  return make_target(lock_or_mutant_called(name.lock), scenario, menu,
                     {.clients = name.clients,
                      .rounds = name.rounds,
                      .most_faults = name.most_faults,
                      .fixed_latency = explorer != nullptr && explorer->tries_orders,
                      .draws_shapes = explorer != nullptr && !explorer->tries_orders,
                      .shape = name.shape});
}

void describe(ReportedFinding& found, std::string_view lock) {
  Scenario& scenario = found.story.scenario;
  scenario.title = fmt::format("{}: {}", lock, found.story.least_text());
  scenario.about =
      fmt::format("Found by exploring and {}: {}.",
                  found.is_shrunk ? "shrunk until nothing could be left out" : "could not be shrunk",
                  found.story.size_text());
}

// With all that it had when it was found.
ShrunkFinding as_found(const ExploreTarget& target, const ExploreFinding& finding) {
  ShrunkFinding story;
  story.scenario = target.in_shape(finding.shape);
  story.scenario.lock = std::string(target.lock->id);
  story.scenario.faults.insert(story.scenario.faults.end(), finding.faults.begin(), finding.faults.end());
  story.scenario.expect = {.letter = std::string(to_text(finding.letter)), .reasoned = {}, .note = {}};
  story.choices = finding.choices;
  story.reorders = finding.reordered;
  story.letter = finding.letter;
  return story;
}

// Read from its own text, as whoever replays it will. Counts its steps.
bool comes_out(Simulation& simulation, const LockEntry& lock, ShrunkFinding& story) {
  ShrunkFinding again = story;
  try {
    again.scenario = parse_scenario(to_json_text(story.scenario), "the finding", "finding", known_names());
  } catch (const ScenarioError&) {
    return false;
  }
  StepNames steps;
  ShrunkRun run(again, lock);
  RunRequest request = run.request();
  request.step_observer = &steps;
  const RunReport report = simulation.run(request);
  story.steps = steps.applied();
  story.fingerprint = report.fingerprint;
  story.shows_its_letter = report.shows_its_letter;
  return report.letter == story.letter;
}

// A part of a file's name, whatever the word.
std::string name_part(std::string word) {
  for (char& c : word) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '-' || c == '_' || c == '.' || c == '+';
    c = is_plain ? c : '_';
  }
  return word.substr(0, longest_name_part);
}

auto size_of(const ReportedFinding& found) {
  const Scenario& scenario = found.story.scenario;
  return std::tuple(!found.story.shows_its_letter, !found.is_shrunk, scenario.clients.size(),
                    scenario.faults.size(), found.story.steps);
}

// Two findings that shrank to the same letter and kinds of faults are one; the smallest tells it that shows
// what the letter says. Worse letters first.
void leave_smallest(std::vector<ReportedFinding>& findings) {
  std::ranges::stable_sort(findings, [](const ReportedFinding& one, const ReportedFinding& other) {
    return one.story.letter != other.story.letter ? one.story.letter > other.story.letter
                                                  : size_of(one) < size_of(other);
  });
  std::set<std::pair<Letter, std::string>> seen;
  std::erase_if(findings, [&](const ReportedFinding& found) {
    return !seen.insert({found.story.letter, kinds_text(found.story.scenario.faults, "+")}).second;
  });
}

// A finding while it is shrunk or written: the run that it was found in is shrunk whenever it is shown.
class FoundReplay final : public Replay {
 public:
  FoundReplay(const RunCommands& commands, std::uint64_t run) : commands_(commands), run_(run) {}
  std::string command() const override { return commands_.of(run_); }

 private:
  const RunCommands& commands_;
  std::uint64_t run_;
};

// One finding of one target, while it is shrunk.
struct ShrinkTask {
  std::size_t target = 0;
  const ExploreFinding* finding = nullptr;
  ReportedFinding result{};
  bool is_reproduced = false;
};

void shrink_all(std::vector<ShrinkTask>& tasks, const std::vector<ExploreTarget>& explored,
                const std::vector<RunCommands>& commands, std::size_t jobs,
                const std::function<void(std::size_t done, std::size_t all)>& on_shrunk) {
  const auto make_worker = [&]() -> ParallelWorker {
    const auto simulation = std::make_shared<Simulation>();
    return [&, simulation](std::size_t index) {
      ShrinkTask& task = tasks[index];
      const FoundReplay replay(commands[task.target], task.finding->run);
      const ReplayScope scope(replay);
      task.is_reproduced = make_story(*simulation, explored[task.target], *task.finding, task.result);
    };
  };
  in_parallel(tasks.size(), jobs, make_worker, [&](std::size_t done) { on_shrunk(done, tasks.size()); });
}

// Names are given out and files written in order, so that they are the same on any number of threads.
class FindingWriter {
 public:
  explicit FindingWriter(const std::string& directory) : directory_(directory) {
    if (!directory.empty()) {
      make_directory(directory, "findings");
    }
  }

  void write(const RunCommands& commands, const PieceName& target, const LockEntry& lock,
             ReportedFinding& found) {
    const FoundReplay replay(commands, found.run);
    const ReplayScope scope(replay);
    std::string& name = found.story.scenario.name;
    name = free_name(story_name(target, found.story));
    if (directory_.empty()) {
      found.command = commands.of(found.run);
      return;
    }
    const std::string in_directory = "findings/" + name;
    const std::string base = directory_ + "/" + in_directory;
    if (found.is_shrunk) {
      write_finding(found.story, lock, base);
      found.command = finding_command(found.story, base);
      found.command_in_directory = finding_command(found.story, in_directory);
    } else {
      write_finding_log(found.story, lock, base);
      found.command = log_command(base);
      found.command_in_directory = log_command(in_directory);
    }
  }

 private:
  std::string free_name(const std::string& wanted) {
    std::string name = wanted;
    for (int counter = 2; !taken_.insert(name).second; ++counter) {
      name = fmt::format("{}-{}", wanted, counter);
    }
    return name;
  }

  const std::string& directory_;
  std::set<std::string> taken_;
};

}  // namespace

const Scenario& TargetShelf::scenario(const std::string& name) {
  const auto found = scenarios_.find(name);
  return found != scenarios_.end() ? found->second
                                   : scenarios_.emplace(name, shelf_.take(name).scenario).first->second;
}

ExploreTarget TargetShelf::target(const PieceName& name) {
  if (menu_.empty()) {
    menu_ = menu_of(shelf_.families());
  }
  return make_named(name, scenario(name.scenario), menu_);
}

std::vector<const ExplorerEntry*> explorers_called(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  std::vector<const ExplorerEntry*> called;
  for (const ExplorerEntry& entry : all_explorers()) {
    known.emplace_back(entry.name);
    if (std::ranges::count(names, entry.name) > 0) {
      called.push_back(&entry);
    }
  }
  for (const std::string& name : names) {
    if (find_explorer(name) == nullptr) {
      throw unknown_word("strategy", name, known, "holdfast explore --help");
    }
  }
  return called;
}

std::uint32_t usual_clients(const ExplorerEntry& explorer) {
  return explorer.tries_orders ? 2 : 3;
}

std::uint32_t usual_faults(const ExplorerEntry& explorer) {
  return explorer.ends_by_itself ? 1 : 2;
}

RunCommands::RunCommands(const PieceName& name, TargetShelf& shelf)
    : target_(fmt::format("--lock {} --strategy {}", name.lock, name.strategy)) {
  const ExplorerEntry& explorer = *find_explorer(name.strategy);
  const auto put = [&](std::string_view option, const std::string& value, const std::string& usual) {
    options_ += value == usual ? "" : fmt::format(" {} {}", option, shell_word(value));
  };
  put("--scenario", name.scenario, std::string(usual_scenario));
  put("--seed", std::to_string(name.seed), "1");
  if (shelf.scenario(name.scenario).is_family()) {
    put("--clients", std::to_string(name.clients), std::to_string(usual_clients(explorer)));
    put("--rounds", std::to_string(name.rounds), "1");
  }
  put("--shape", name.shape, "");
  put("--faults", std::to_string(name.most_faults), std::to_string(usual_faults(explorer)));
  put("--scenarios", shelf.shelf().asked_for().value_or(""), "");
}

std::string RunCommands::of(std::uint64_t run) const {
  return fmt::format("holdfast explore {} --run {}{}", target_, run, options_);
}

bool make_story(Simulation& simulation, const ExploreTarget& target, const ExploreFinding& finding,
                ReportedFinding& result) {
  const LockEntry& lock = *target.lock;
  result.run = finding.run;
  result.is_shrunk = finding.letter != Letter::safe && shrink(simulation, target, finding, result.story);
  describe(result, lock.id);
  if (result.is_shrunk && comes_out(simulation, lock, result.story)) {
    return true;
  }
  result.is_shrunk = false;
  result.story = as_found(target, finding);
  describe(result, lock.id);  // a scenario without words is none
  const bool is_reproduced = comes_out(simulation, lock, result.story);
  describe(result, lock.id);
  return is_reproduced;
}

std::string story_name(const PieceName& name, const ShrunkFinding& story) {
  const std::string kinds = kinds_text(story.scenario.faults, "+");
  std::string text =
      fmt::format("{}--{}--{}--{}", name.lock, name.strategy,
                  story.letter == Letter::not_applicable ? "none" : std::string(to_text(story.letter)),
                  kinds.empty() ? "no-fault" : name_part(kinds));
  if (name.scenario != usual_scenario) {
    text += "--" + name_part(std::filesystem::path(name.scenario).stem().string());
  }
  if (name.seed != 1) {
    text += fmt::format("--seed{}", name.seed);
  }
  return text;
}

void report_findings(std::vector<ExploredTarget>& targets, TargetShelf& shelf, const std::string& directory,
                     std::size_t jobs,
                     const std::function<void(std::size_t done, std::size_t all)>& on_shrunk) {
  std::vector<ExploreTarget> explored(targets.size());
  std::vector<RunCommands> commands;
  std::vector<ShrinkTask> tasks;
  for (std::size_t index = 0; index < targets.size(); ++index) {
    commands.emplace_back(targets[index].name, shelf);
    if (!targets[index].result.findings.empty()) {
      explored[index] = shelf.target(targets[index].name);
    }
    for (const ExploreFinding& finding : targets[index].result.findings) {
      tasks.push_back({.target = index, .finding = &finding});
    }
  }
  shrink_all(tasks, explored, commands, jobs, on_shrunk);
  for (ShrinkTask& task : tasks) {
    ExploredTarget& target = targets[task.target];
    if (task.is_reproduced) {
      target.findings.push_back(std::move(task.result));
    } else {
      target.not_reproduced.push_back(*task.finding);
    }
  }
  FindingWriter writer(directory);
  for (std::size_t index = 0; index < targets.size(); ++index) {
    ExploredTarget& target = targets[index];
    leave_smallest(target.findings);
    for (ReportedFinding& found : target.findings) {
      writer.write(commands[index], target.name, lock_or_mutant_called(target.name.lock), found);
    }
  }
}

std::string not_reproduced_text(const PieceName& name, const ExploreFinding& finding) {
  return fmt::format(
      "{} by {}, run {}: its {} did not come out again, which is a bug of holdfast; please report it",
      name.lock, name.strategy, finding.run, to_text(finding.letter));
}

}  // namespace holdfast
