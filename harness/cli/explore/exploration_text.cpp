#include "harness/cli/explore/exploration_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/cli/story/told_run.h"
#include "harness/explore/exploration/left_out.h"
#include "harness/explore/exploration/never_reached.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

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

// "All of them" is of what a strategy turns: the rest of the sentence says what it has not looked at.
std::string conclusion_text(const ExploredTarget& target) {
  if (!target.result.has_every_run) {
    return "";
  }
  const auto& counts = target.result.runs_by_letter;
  const bool safe = counts[static_cast<std::size_t>(Letter::safe)] == target.result.runs;
  const bool orders = find_explorer(target.name.strategy)->tries_orders;
  const std::string clients = counted(target.name.clients, "client");
  const std::string faults = counted(target.name.most_faults, "fault");
  const std::string left = fmt::format("all of them but for {}\n", fmt::join(left_out(target.name), "; "));
  const std::string_view found = safe ? "no violation" : "all there is";
  if (!orders) {  // how many rounds there are is up to the shapes
    return fmt::format("  {} with each fault at each step: {}, {}, {}, {}", found, clients, faults,
                       counted(target.result.runs, "run"), left);
  }
  return fmt::format("  {} within: {}, {}, {}, {}, {}", found, clients, counted(target.name.rounds, "round"),
                     faults, counted(target.result.runs, "schedule"), left);
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
  for (const ExploreFinding& finding : target.not_reproduced) {
    text += "  " + not_reproduced_text(target.name, finding) + "\n";
  }
  return text;
}

}  // namespace

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

}  // namespace holdfast::cli
