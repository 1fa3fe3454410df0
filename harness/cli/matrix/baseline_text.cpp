#include "harness/cli/matrix/baseline_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/story/story.h"
#include "harness/cli/story/told_run.h"
#include "harness/explore/shrunk_run.h"
#include "harness/scenario/shelf/shelf.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t markdown_most =
    60'000;  // bytes: a comment on a pull request may have 65,536 characters

std::string_view word_for(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::worse:
      return "worse";
    case ChangeKind::appeared:
      return "new";
    case ChangeKind::better:
      return "better";
    case ChangeKind::gone:
      return "gone";
  }
  return "";
}

// "redis-px-cad, pause"
std::string cell_name(const Change& change) {
  return fmt::format("{}, {}", change.lock, change.family);
}

std::string_view before_text(const Change& change) {
  return change.before ? to_text(*change.before) : "new";
}

std::string_view now_text(const Change& change) {
  return change.now ? to_text(*change.now) : "gone";
}

// "was S, is V"
std::string was_and_is(const Change& change, bool in_color) {
  const std::string was =
      change.before ? fmt::format("was {}", to_text(*change.before)) : "not in the baseline";
  return change.now
             ? fmt::format("{}, is {}", was, painted(to_text(*change.now), color_of(*change.now), in_color))
             : was + ", is not there any more";
}

// Ids, commands and texts that are printable: no control characters but the ends of lines.
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

// Nothing in it is markup or a mention.
std::string escaped_markdown(std::string_view text) {
  constexpr std::string_view special = "\\`*_{}[]<>#|~&!@$";
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) {
      result += '\\';
    }
    result += c;
  }
  return result;
}

// As many as there is room for; what is missing stands in the output of the program.
void add_pieces(std::string& text, const std::vector<std::string>& pieces, std::size_t most) {
  for (std::size_t index = 0; index < pieces.size(); ++index) {
    if (text.size() + pieces[index].size() > most) {
      text += fmt::format("\n… and {} more, which the output of this run has.\n", pieces.size() - index);
      return;
    }
    text += pieces[index];
  }
}

std::string row_of_change(const Change& change) {
  return fmt::format("| {} | {} | {} | **{}** | {} |\n", escaped_markdown(change.lock),
                     escaped_markdown(change.title), before_text(change), now_text(change),
                     change.least.empty() ? "" : escaped_markdown(change.size + ": " + change.least));
}

std::string details_of_change(const Change& change) {
  return fmt::format(
      "\n<details><summary>{}: {} → {}</summary>\n\n```\n{}```\n\nFound as `{}`\n\n</details>\n",
      escaped_xml(cell_name(change)), before_text(change), now_text(change), change.story, change.command);
}

// "27 V, 3 L, 6 S", the worst first
std::string letter_counts(const Matrix& matrix) {
  std::string text;
  for (const Letter letter : letters_worst_first) {
    const auto count = std::ranges::count(matrix.cells, letter, &Cell::letter);
    if (count > 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_text(letter));
    }
  }
  return text;
}

std::string row_of_disagreement(const Matrix& matrix, const Disagreement& each) {
  const std::string command = command_for(matrix, each.row, each.column);
  return fmt::format("| {} | {} | {} | **{}** | {} |\n", escaped_markdown(matrix.locks[each.row]->id),
                     escaped_markdown(matrix.families[each.column].title), to_text(each.expected),
                     to_text(matrix.cell(each.row, each.column).letter),
                     command.empty() ? "" : "`" + command + "`");
}

std::string markdown_heading(const Matrix& matrix) {
  return fmt::format("### holdfast\n\n{}, {}", counted(matrix.locks.size(), "lock"),
                     counted(matrix.runs(), "run"));
}

// What stands inside the test case of a cell that was run, if anything.
std::string junit_content(const Change& change) {
  const std::string what =
      fmt::format("{}{}{}", was_and_is(change, false), change.least.empty() ? "" : ": ", change.least);
  const std::string why = change.command + "\n\n" + change.story;
  if (change.is_worse()) {
    return fmt::format("<failure message=\"{}\">{}</failure>\n", escaped_xml(what), escaped_xml(why));
  }
  return fmt::format("<system-out>{}</system-out>\n",
                     escaped_xml(change.story.empty() ? what : what + "\n" + why));
}

std::string junit_skipped(const Change* change) {
  return fmt::format("<skipped message=\"{}\"/>\n",
                     change == nullptr ? "not applicable" : escaped_xml(was_and_is(*change, false)));
}

std::string junit_case(std::string_view lock, std::string_view family, const std::string& content) {
  return fmt::format("<testcase classname=\"{}\" name=\"{}\"{}\n", escaped_xml(lock), escaped_xml(family),
                     content.empty() ? "/>" : ">\n" + content + "</testcase>");
}

}  // namespace

std::string shrunk_story(const ShrunkFinding& finding, const LockEntry& lock) {
  Simulation simulation;
  ShrunkRun run(finding, lock);
  RunRequest request = run.request();
  request.details = true;
  request.explain = true;
  const RunReport report = simulation.run(request);
  return story_picture(simulation.history(), simulation.processes(), report.verdicts, Terminal{});
}

std::string changes_text(const std::vector<Change>& changes, const Terminal& terminal) {
  std::string text;
  for (const Change& change : changes) {
    text += fmt::format("{}: {}: {}\n", word_for(change.kind()), cell_name(change),
                        was_and_is(change, terminal.color));
    if (!change.story.empty()) {
      text += fmt::format("  {}: {}\n  found as: {}\n\n{}\n", change.size, change.least, change.command,
                          change.story);
    }
  }
  return text.empty() ? "Nothing changed since the baseline.\n" : text;
}

std::string changes_markdown(const Matrix& matrix, const std::vector<Change>& changes) {
  const auto count = [&](ChangeKind kind) { return std::ranges::count(changes, kind, &Change::kind); };
  std::string text =
      fmt::format("{}: {} worse, {} better than the baseline, {} new, {} gone.\n", markdown_heading(matrix),
                  count(ChangeKind::worse), count(ChangeKind::better), count(ChangeKind::appeared),
                  count(ChangeKind::gone));
  if (changes.empty()) {
    return text;
  }
  std::vector<std::string> rows;
  std::vector<std::string> details;
  for (const Change& change : changes) {
    rows.push_back(row_of_change(change));
    if (!change.story.empty()) {
      details.push_back(details_of_change(change));
    }
  }
  text += "\n| lock | faults | was | is | why |\n| --- | --- | --- | --- | --- |\n";
  add_pieces(text, rows, markdown_most / 2);
  add_pieces(text, details, markdown_most);
  return text;
}

std::string disagreements_markdown(const Matrix& matrix,
                                   const std::optional<std::vector<Disagreement>>& disagreements) {
  std::string text = fmt::format("{}: {}.\n", markdown_heading(matrix), letter_counts(matrix));
  if (!disagreements) {
    return text;
  }
  if (disagreements->empty()) {
    return text + "\nNothing disagrees with the expected table.\n";
  }
  text += fmt::format("\nWhat disagrees with the expected table: {}\n", disagreements->size());
  text += "\n| lock | faults | expected | is | again |\n| --- | --- | --- | --- | --- |\n";
  std::vector<std::string> rows;
  for (const Disagreement& each : *disagreements) {
    rows.push_back(row_of_disagreement(matrix, each));
  }
  add_pieces(text, rows, markdown_most);
  return text;
}

std::string junit_xml(const Matrix& matrix, const std::vector<Change>& changes, double seconds) {
  std::string cases;
  std::size_t tests = 0;
  std::size_t skipped = 0;
  const auto add = [&](std::string_view lock, std::string_view family, const std::string& content) {
    cases += junit_case(lock, family, content);
    ++tests;
    skipped += content.starts_with("<skipped") ? 1 : 0;
  };
  for (std::size_t row = 0; row < matrix.locks.size(); ++row) {
    for (std::size_t column = 0; column < matrix.families.size(); ++column) {
      const std::string_view lock = matrix.locks[row]->id;
      const std::string family = family_name(matrix.families[column]);
      const auto found = std::ranges::find_if(
          changes, [&](const Change& each) { return each.lock == lock && each.family == family; });
      const Change* change = found == changes.end() ? nullptr : &*found;
      if (matrix.cell(row, column).letter == Letter::not_applicable) {
        add(lock, family, junit_skipped(change));
      } else {
        add(lock, family, change == nullptr ? "" : junit_content(*change));
      }
    }
  }
  for (const Change& change : changes) {
    if (!change.now) {
      add(change.lock, change.family, junit_skipped(&change));
    }
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "<testsuite name=\"holdfast\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n"
      "{}</testsuite>\n</testsuites>\n",
      tests, std::ranges::count_if(changes, &Change::is_worse), skipped, seconds, cases);
}

}  // namespace holdfast::cli
