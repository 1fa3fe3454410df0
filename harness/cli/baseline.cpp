#include "harness/cli/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/cli/bad_input.h"
#include "harness/cli/shelf.h"
#include "harness/cli/story.h"
#include "harness/cli/text_width.h"
#include "harness/cli/told_run.h"
#include "harness/explore/shrink_cell.h"
#include "harness/explore/shrunk_run.h"

namespace holdfast::cli {
namespace {

// "redis-px-cad, pause"
std::string cell_name(const Matrix& matrix, const Change& change) {
  return fmt::format("{}, {}", matrix.locks[change.row]->id, family_name(matrix.families[change.column]));
}

std::string before_text(const Change& change) {
  return change.before ? std::string(to_text(*change.before)) : "new";
}

// Our own texts and ids: no control characters but the ends of lines.
std::string escaped_xml(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string escaped_markdown(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c == '|' ? std::string("\\|") : std::string(1, c);
  }
  return result;
}

// Why it got worse: the least that still does it, as a picture.
void tell_why(Change& change, const Matrix& matrix, Simulation& simulation) {
  const LockEntry& lock = *matrix.locks[change.row];
  const auto shrunk =
      shrink_cell(simulation, matrix.families[change.column], lock, matrix.cell(change.row, change.column));
  if (!shrunk) {
    return;
  }
  change.size = shrunk->size_text();
  change.least = shrunk->least_text();
  ShrunkRun run(*shrunk, lock);
  RunRequest request = run.request();
  request.details = true;
  request.explain = true;
  const RunReport report = simulation.run(request);
  change.story = story_picture(simulation.history(), simulation.processes(), report.verdicts, Terminal{});
}

}  // namespace

Baseline read_baseline(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw BadInput(fmt::format("cannot read the baseline {}; \"--update-baseline\" writes one", path));
  }
  try {
    const nlohmann::json json = nlohmann::json::parse(file);
    Baseline baseline;
    if (json.at("format") != "holdfast-matrix" || json.at("version") != 1) {
      throw BadInput(fmt::format("{} is no matrix that this holdfast reads", path));
    }
    for (const nlohmann::json& cell : json.at("cells")) {
      const auto letter = letter_from(cell.at("letter").get<std::string>());
      if (!letter) {
        throw BadInput(fmt::format("{} has a cell with the letter {}, which there is not", path,
                                   cell.at("letter").dump()));
      }
      baseline[{cell.at("lock"), cell.at("family")}] = *letter;
    }
    return baseline;
  } catch (const nlohmann::json::exception&) {
    throw BadInput(fmt::format("{} is no matrix in JSON; \"--update-baseline\" writes one", path));
  }
}

std::vector<Change> changes_since(const Matrix& matrix, const Baseline& baseline) {
  std::vector<Change> changes;
  Simulation simulation;
  for (std::size_t row = 0; row < matrix.locks.size(); ++row) {
    for (std::size_t column = 0; column < matrix.families.size(); ++column) {
      Change change;
      change.row = row;
      change.column = column;
      change.now = matrix.cell(row, column).letter;
      const auto before =
          baseline.find({std::string(matrix.locks[row]->id), family_name(matrix.families[column])});
      if (before != baseline.end()) {
        change.before = before->second;
      }
      const bool is_new = !change.before && change.now > Letter::safe;
      if (!is_new && !change.is_worse() && !change.is_better()) {
        continue;
      }
      if (change.is_worse()) {
        tell_why(change, matrix, simulation);
      }
      changes.push_back(std::move(change));
    }
  }
  return changes;
}

std::string changes_text(const Matrix& matrix, const std::vector<Change>& changes, const Terminal& terminal) {
  std::string text;
  for (const Change& change : changes) {
    const std::string_view what = change.is_worse() ? "worse" : change.is_better() ? "better" : "new";
    text += fmt::format("{}: {}: was {}, is {}\n", what, cell_name(matrix, change), before_text(change),
                        painted(to_text(change.now), color_of(change.now), terminal.color));
    if (change.is_worse()) {
      text += fmt::format("  {}: {}\n  {}\n\n{}\n", change.size, change.least,
                          command_for(matrix, change.row, change.column), change.story);
    }
  }
  return text.empty() ? "Nothing changed since the baseline.\n" : text;
}

std::string changes_markdown(const Matrix& matrix, const std::vector<Change>& changes) {
  const auto worse = std::ranges::count_if(changes, &Change::is_worse);
  const auto better = std::ranges::count_if(changes, &Change::is_better);
  std::string text =
      fmt::format("### holdfast\n\n{}, {}: {} worse, {} better than the baseline.\n",
                  counted(matrix.locks.size(), "lock"), counted(matrix.runs(), "run"), worse, better);
  if (!changes.empty()) {
    text += "\n| lock | faults | was | is | why |\n| --- | --- | --- | --- | --- |\n";
  }
  for (const Change& change : changes) {
    text += fmt::format("| {} | {} | {} | **{}** | {} |\n", matrix.locks[change.row]->id,
                        escaped_markdown(matrix.families[change.column].title), before_text(change),
                        to_text(change.now),
                        change.least.empty() ? "" : escaped_markdown(change.size + ": " + change.least));
  }
  for (const Change& change : changes) {
    if (change.is_worse()) {
      text += fmt::format("\n<details><summary>{}: {} → {}</summary>\n\n```\n{}```\n\n`{}`\n\n</details>\n",
                          cell_name(matrix, change), before_text(change), to_text(change.now), change.story,
                          command_for(matrix, change.row, change.column));
    }
  }
  return text;
}

std::string junit_xml(const Matrix& matrix, const std::vector<Change>& changes, double seconds) {
  const auto worse = std::ranges::count_if(changes, &Change::is_worse);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites>\n<testsuite name=\"holdfast\" tests=\"{}\" failures=\"{}\" time=\"{:.3f}\">\n",
      matrix.cells.size(), worse, seconds);
  for (std::size_t row = 0; row < matrix.locks.size(); ++row) {
    for (std::size_t column = 0; column < matrix.families.size(); ++column) {
      const auto change = std::ranges::find_if(changes, [&](const Change& each) {
        return each.row == row && each.column == column && each.is_worse();
      });
      text += fmt::format("<testcase classname=\"{}\" name=\"{}\"", escaped_xml(matrix.locks[row]->id),
                          escaped_xml(family_name(matrix.families[column])));
      if (change == changes.end()) {
        text += "/>\n";
        continue;
      }
      text += fmt::format(">\n<failure message=\"{}\">{}</failure>\n</testcase>\n",
                          escaped_xml(fmt::format("was {}, is {}: {}", before_text(*change),
                                                  to_text(change->now), change->least)),
                          escaped_xml(command_for(matrix, row, column) + "\n\n" + change->story));
    }
  }
  return text + "</testsuite>\n</testsuites>\n";
}

}  // namespace holdfast::cli
