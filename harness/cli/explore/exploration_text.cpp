// What an exploration came to, for a person and for programs.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/cli/explore/exploration.h"
#include "harness/cli/story/told_run.h"
#include "harness/kernel/marks.h"
#include "harness/scenario/file/save.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

using ExplorationJson = nlohmann::ordered_json;

std::string letters_text(const PieceResult& result, const Terminal& terminal) {
  std::string text;
  for (const Letter letter : letters_worst_first) {
    if (const std::uint64_t runs = result.runs_by_letter[static_cast<std::size_t>(letter)]; runs > 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", runs,
                          painted(to_text(letter), color_of(letter), terminal.color));
    }
  }
  return text;
}

// What "all of them" means: what a strategy does not turn, it has not looked at.
std::string conclusion_text(const ExploredTarget& target) {
  if (!target.result.all_of_them) {
    return "";
  }
  const auto& counts = target.result.runs_by_letter;
  const bool safe = counts[static_cast<std::size_t>(Letter::safe)] == target.result.runs;
  const bool orders = find_explorer(target.name.strategy)->tries_orders;
  const std::string text = fmt::format(
      "  {} {}: {}, {}, {}, all of them\n", safe ? "no violation" : "all there is",
      orders ? "within" : "with each fault at each step", counted(target.name.clients, "client"),
      counted(target.name.most_faults, "fault"), counted(target.result.runs, orders ? "schedule" : "run"));
  return !orders ? text
                 : text + fmt::format(
                              "  (every message takes the same time; orders of messages on their way to "
                              "the same process; faults at the first {} steps of each)\n",
                              most_steps_of_a_process);
}

std::string finding_text(const ReportedFinding& found, const Terminal& terminal) {
  const Letter letter = found.story.letter;
  return fmt::format("  {}  {}: {}{}\n     {}\n", painted(to_text(letter), color_of(letter), terminal.color),
                     found.story.size_text(), found.story.least_text(),
                     found.is_shrunk ? "" : " (could not be shrunk)", found.command);
}

std::string target_text(const ExploredTarget& target, const Terminal& terminal) {
  std::string text =
      fmt::format("{} by {}: {}: {}\n", painted(target.name.lock, Color::bold, terminal.color),
                  target.name.strategy, counted(target.result.runs, "run"),
                  target.result.runs == 0 ? "no time was left" : letters_text(target.result, terminal));
  text += conclusion_text(target);
  for (const ReportedFinding& found : target.findings) {
    text += finding_text(found, terminal);
  }
  for (const ExploreFinding& finding : target.not_again) {
    text += "  " + not_again_text(target.name, finding) + "\n";
  }
  return text;
}

// Whether a lock can come to the mark at all.
bool can_reach(const LockEntry& lock, Mark mark) {
  switch (mark) {
    case Mark::lease_ran_out:
      return lock.ttl > Duration::zero() && lock.needs.servers > 0;
    case Mark::renewal_too_late:
    case Mark::renewed:
      return lock.features.renews;
    case Mark::minority_granted:
      return lock.needs.servers > 1;
    case Mark::majority_too_late:
      return lock.reserve != nullptr;
    case Mark::woken_by_message:
      return lock.features.woken && lock.needs.servers > 0;
    case Mark::replicas_too_slow:
      return lock.needs.replicas > 0;
    case Mark::release_found_nothing:
      return lock.features.owner_checked && lock.needs.servers > 0;
    default:
      return lock.needs.servers > 0;
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
  ExplorationJson json{{"lock", target.name.lock},          {"scenario", target.name.scenario},
                       {"strategy", target.name.strategy},  {"seed", target.name.seed},
                       {"clients", target.name.clients},    {"rounds", target.name.rounds},
                       {"faults", target.name.most_faults}, {"runs", result.runs},
                       {"all_of_them", result.all_of_them}, {"findings", ExplorationJson::array()}};
  for (std::size_t letter = 0; letter < result.runs_by_letter.size(); ++letter) {
    if (result.runs_by_letter[letter] > 0) {
      json["runs_by_letter"][std::string(to_text(static_cast<Letter>(letter)))] =
          result.runs_by_letter[letter];
    }
  }
  for (const ReportedFinding& found : target.findings) {
    json["findings"].push_back(finding_json(found, paths));
  }
  for (const ExploreFinding& finding : target.not_again) {
    json["not_again"].push_back({{"letter", to_text(finding.letter)}, {"run", finding.run}});
  }
  return json;
}

}  // namespace

std::string not_again_text(const PieceName& name, const ExploreFinding& finding) {
  return fmt::format(
      "{} by {}, run {}: its {} did not come out again, which is a bug of holdfast; please report it",
      name.lock, name.strategy, finding.run, to_text(finding.letter));
}

std::string exploration_text(const std::vector<ExploredTarget>& targets, const ExplorationPace& pace,
                             const Terminal& terminal) {
  std::string text;
  std::uint64_t runs = 0;
  for (const ExploredTarget& target : targets) {
    runs += target.result.runs;
    text += target_text(target, terminal);
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

std::string exploration_json(const std::vector<ExploredTarget>& targets, CommandPaths paths) {
  ExplorationJson json{{"format", "holdfast-campaign"}, {"version", 1}};
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

}  // namespace holdfast::cli
