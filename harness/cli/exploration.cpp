#include "harness/cli/exploration.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/cli/finding_files.h"
#include "harness/cli/text_width.h"
#include "harness/cli/told_run.h"
#include "harness/explore/parallel.h"
#include "harness/kernel/marks.h"
#include "harness/scenario/save.h"

namespace holdfast::cli {
namespace {

using ExplorationJson = nlohmann::ordered_json;

std::string file_name(const ExploredTarget& target, const ShrunkFinding& shrunk) {
  return fmt::format("{}--{}--{}", target.name.lock, target.name.strategy,
                     shrunk.letter == Letter::not_applicable ? "none" : std::string(to_text(shrunk.letter)));
}

// The same whatever the directory is called.
std::string command_in_directory(const ExploredTarget::Shrunk& found) {
  return finding_command(found.shrunk, "findings/" + found.shrunk.scenario.name);
}

std::string letters_text(const PieceResult& result, const Terminal& terminal) {
  std::string text;
  for (const Letter letter : {Letter::violated, Letter::fenced, Letter::stuck_for_ever, Letter::always_error,
                              Letter::stuck_bounded, Letter::safe}) {
    if (const std::uint64_t runs = result.runs_by_letter[static_cast<std::size_t>(letter)]; runs > 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", runs,
                          painted(to_text(letter), color_of(letter), terminal.color));
    }
  }
  return text;
}

std::string conclusion_text(const ExploredTarget& target) {
  if (!target.result.all_of_them) {
    return "";
  }
  const auto& counts = target.result.runs_by_letter;
  const bool safe = counts[static_cast<std::size_t>(Letter::safe)] == target.result.runs;
  return fmt::format("  {} within: {}, {}, {}, all of them\n", safe ? "no violation" : "all there is",
                     counted(target.name.clients, "client"), counted(target.name.most_faults, "fault"),
                     counted(target.result.runs, "schedule"));
}

std::string shrunk_text(const ExploredTarget::Shrunk& found, const Terminal& terminal) {
  const Letter letter = found.shrunk.letter;
  return fmt::format("  {}  {}: {}\n", painted(to_text(letter), color_of(letter), terminal.color),
                     found.shrunk.size_text(), found.shrunk.least_text()) +
         (found.command.empty() ? "" : fmt::format("     {}\n", found.command));
}

// Whether a lock can come to the mark at all.
bool can_reach(const LockEntry& lock, Mark mark) {
  switch (mark) {
    case Mark::renewal_too_late:
    case Mark::renewed:
      return lock.features.renews;
    case Mark::minority_granted:
    case Mark::majority_too_late:
      return lock.id.find("redlock") != std::string_view::npos;
    case Mark::woken_by_message:
      return lock.id.find("redisson") != std::string_view::npos;
    case Mark::replicas_too_slow:
      return lock.needs.replicas > 0;
    case Mark::release_found_nothing:
      return lock.features.owner_checked && lock.needs.redis_servers == 1;
    default:
      return lock.needs.redis_servers > 0;
  }
}

// Marks that some of the locks can come to, and none of their runs did.
std::vector<std::string_view> never_reached(const std::vector<ExploredTarget>& targets) {
  std::uint64_t reached = 0;
  std::uint64_t reachable = 0;
  for (const ExploredTarget& target : targets) {
    reached |= target.result.marks;
    const LockEntry* const lock = find_lock(target.name.lock);
    for (const MarkEntry& entry : all_marks) {
      reachable |= lock != nullptr && can_reach(*lock, entry.mark) ? bit_of(entry.mark) : 0;
    }
  }
  std::vector<std::string_view> texts;
  for (const MarkEntry& entry : all_marks) {
    if ((reachable & ~reached & bit_of(entry.mark)) != 0) {
      texts.push_back(entry.text);
    }
  }
  return texts;
}

}  // namespace

ExploreTarget target_of(const PieceName& name, const Shelf& shelf) {
  const LockEntry& lock = lock_called(name.lock);
  const Scenario scenario = shelf.take(name.scenario).scenario;
  const ExplorerEntry* const explorer = find_explorer(name.strategy);
  return make_target(lock, scenario, menu_of(shelf.families()),
                     {.clients = name.clients,
                      .rounds = name.rounds,
                      .most_faults = name.most_faults,
                      .fixed_latency = explorer != nullptr && explorer->name == "exhaustive"});
}

std::vector<ExploredTarget> put_together(std::vector<StoredPiece> pieces) {
  const auto same_target = [](const PieceName& one, const PieceName& other) {
    return one.lock == other.lock && one.scenario == other.scenario && one.strategy == other.strategy &&
           one.clients == other.clients && one.rounds == other.rounds &&
           one.most_faults == other.most_faults && one.seed == other.seed;
  };
  std::ranges::stable_sort(pieces, {}, [](const StoredPiece& piece) { return piece.name.first; });
  std::vector<ExploredTarget> targets;
  std::set<std::pair<std::size_t, std::uint64_t>> seen;
  for (StoredPiece& piece : pieces) {
    const auto found = std::ranges::find_if(
        targets, [&](const ExploredTarget& target) { return same_target(target.name, piece.name); });
    const auto index = static_cast<std::size_t>(found - targets.begin());
    if (!seen.insert({index, piece.name.first}).second) {
      continue;  // the same piece, from two directories
    }
    if (found == targets.end()) {
      targets.push_back({piece.name, std::move(piece.result), {}});
    } else {
      add(found->result, std::move(piece.result));
    }
  }
  return targets;
}

void shrink_findings(std::vector<ExploredTarget>& targets, const Shelf& shelf, const std::string& directory,
                     std::size_t jobs) {
  if (!directory.empty()) {
    std::filesystem::create_directories(directory + "/findings");
  }
  const auto make_worker = [&]() -> ParallelWorker {
    const auto simulation = std::make_shared<Simulation>();
    return [&, simulation](std::size_t index) {
      ExploredTarget& target = targets[index];
      if (target.result.findings.empty()) {
        return;
      }
      const ExploreTarget explored = target_of(target.name, shelf);
      std::set<Letter> letters;
      for (const ExploreFinding& finding : target.result.findings) {
        ExploredTarget::Shrunk found;
        if (letters.contains(finding.letter) || !shrink(*simulation, explored, finding, found.shrunk)) {
          continue;
        }
        letters.insert(finding.letter);
        found.finding = finding;
        found.shrunk.scenario.name = file_name(target, found.shrunk);
        found.shrunk.scenario.title = fmt::format("{}: {}", target.name.lock, found.shrunk.least_text());
        found.shrunk.scenario.about = fmt::format(
            "Found by exploring and shrunk until nothing could be left out: {}.", found.shrunk.size_text());
        if (!directory.empty()) {
          const std::string base = directory + "/findings/" + found.shrunk.scenario.name;
          write_finding(found.shrunk, *explored.lock, base);
          found.command = finding_command(found.shrunk, base);
        }
        target.shrunk.push_back(std::move(found));
      }
    };
  };
  in_parallel(targets.size(), jobs, make_worker, [](std::size_t) {});
}

std::string exploration_text(const std::vector<ExploredTarget>& targets, const ExplorationPace& pace,
                             const Terminal& terminal) {
  std::string text;
  std::uint64_t runs = 0;
  for (const ExploredTarget& target : targets) {
    runs += target.result.runs;
    text += fmt::format("{} by {}: {}: {}\n", painted(target.name.lock, Color::bold, terminal.color),
                        target.name.strategy, counted(target.result.runs, "run"),
                        letters_text(target.result, terminal));
    text += conclusion_text(target);
    for (const ExploredTarget::Shrunk& found : target.shrunk) {
      text += shrunk_text(found, terminal);
    }
  }
  const std::vector<std::string_view> missing = never_reached(targets);
  if (!missing.empty()) {
    text += "\nnever reached:\n";
    for (const std::string_view mark : missing) {
      text += fmt::format("  {}\n", mark);
    }
  }
  text += "\n";
  if (pace.runs > 0) {
    text += fmt::format("{} in {:.1f} s, {:.0f} runs/s", counted(pace.runs, "run"), pace.seconds,
                        static_cast<double>(pace.runs) / std::max(pace.seconds, 1e-6));
  }
  if (runs > pace.runs) {
    text +=
        fmt::format("{}{} had been done before", pace.runs > 0 ? "; " : "", counted(runs - pace.runs, "run"));
  }
  return text + "\n";
}

std::string exploration_json(const std::vector<ExploredTarget>& targets) {
  ExplorationJson json{{"format", "holdfast-campaign"}, {"version", 1}};
  std::uint64_t runs = 0;
  json["targets"] = ExplorationJson::array();
  for (const ExploredTarget& target : targets) {
    runs += target.result.runs;
    ExplorationJson each{{"lock", target.name.lock},
                         {"scenario", target.name.scenario},
                         {"strategy", target.name.strategy},
                         {"seed", target.name.seed},
                         {"clients", target.name.clients},
                         {"faults", target.name.most_faults},
                         {"runs", target.result.runs},
                         {"all_of_them", target.result.all_of_them},
                         {"findings", ExplorationJson::array()}};
    for (std::size_t letter = 0; letter < target.result.runs_by_letter.size(); ++letter) {
      if (target.result.runs_by_letter[letter] > 0) {
        each["runs_by_letter"][std::string(to_text(static_cast<Letter>(letter)))] =
            target.result.runs_by_letter[letter];
      }
    }
    for (const ExploredTarget::Shrunk& found : target.shrunk) {
      each["findings"].push_back({{"letter", to_text(found.shrunk.letter)},
                                  {"run", found.finding.run},
                                  {"clients", found.shrunk.scenario.clients.size()},
                                  {"faults", found.shrunk.scenario.faults.size()},
                                  {"steps", found.shrunk.steps},
                                  {"least", found.shrunk.least_text()},
                                  {"any_seed", found.shrunk.choices.empty()},
                                  {"command", found.command.empty() ? "" : command_in_directory(found)},
                                  {"scenario", ExplorationJson::parse(to_json_text(found.shrunk.scenario))}});
    }
    json["targets"].push_back(std::move(each));
  }
  json["runs"] = runs;
  json["never_reached"] = never_reached(targets);
  return json.dump(1) + "\n";
}

}  // namespace holdfast::cli
