#include "harness/cli/matrix/matrix_text.h"

#include <fmt/format.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "harness/cli/story/told_run.h"
#include "harness/scenario/shelf/shelf.h"
#include "harness/text/text_width.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t column_gap = 2;

// 9999, then 12k, then 3M: never more than four columns.
std::string compact(std::uint64_t number) {
  if (number < 10'000) {
    return std::to_string(number);
  }
  return number < 1'000'000 ? fmt::format("{}k", number / 1000) : fmt::format("{}M", number / 1'000'000);
}

// "client-clock" as "client" over "clock".
std::vector<std::string> title_lines(const std::string& name) {
  const std::size_t dash = name.find('-');
  return dash == std::string::npos ? std::vector<std::string>{"", name}
                                   : std::vector{name.substr(0, dash), name.substr(dash + 1)};
}

std::string runs_text(const Cell& cell) {
  return cell.runs == 0 ? "" : fmt::format(" {}", compact(cell.runs));
}

class MatrixPicture {
 public:
  MatrixPicture(const Matrix& matrix, const Terminal& terminal) : matrix_(matrix), terminal_(terminal) {
    for (const LockEntry* lock : matrix.locks) {
      name_width_ = std::max(name_width_, display_width(lock->id));
    }
    for (std::size_t column = 0; column < matrix.families.size(); ++column) {
      widths_.push_back(width_of(column));
    }
  }

  std::string text() {
    for (std::size_t first = 0; first < widths_.size();) {
      std::size_t end = first;
      std::size_t width = name_width_;
      while (end < widths_.size() && (end == first || width + column_gap + widths_[end] <= terminal_.width)) {
        width += column_gap + widths_[end++];
      }
      add_block(first, end);
      first = end;
    }
    return std::move(result_);
  }

 private:
  std::size_t width_of(std::size_t column) const {
    std::size_t width = 0;
    for (const std::string& line : title_lines(family_name(matrix_.families[column]))) {
      width = std::max(width, display_width(line));
    }
    for (std::size_t row = 0; row < matrix_.locks.size(); ++row) {
      width = std::max(width, 1 + runs_text(matrix_.cell(row, column)).size());
    }
    return width;
  }

  void add(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    result_ += line + "\n";
  }

  void add_block(std::size_t first, std::size_t end) {
    if (first > 0) {
      add("");
    }
    for (std::size_t line = 0; line < 2; ++line) {
      std::string titles = padded_right(line == 1 ? "lock" : "", name_width_);
      for (std::size_t column = first; column < end; ++column) {
        const std::string title = title_lines(family_name(matrix_.families[column]))[line];
        titles += std::string(column_gap, ' ') + padded_right(title, widths_[column]);
      }
      titles.erase(titles.find_last_not_of(' ') + 1);
      add(painted(titles, Color::bold, terminal_.color));
    }
    std::string_view group;
    for (std::size_t row = 0; row < matrix_.locks.size(); ++row) {
      if (const std::string_view own = group_of(*matrix_.locks[row]); own != group) {
        group = own;
        add(painted(group, Color::faint, terminal_.color));
      }
      add_row(row, first, end);
    }
  }

  // Behind the last cell: what the lock claims beside the letters, and where it did not keep it.
  std::string claims_text(std::size_t row) const {
    std::map<std::string_view, std::vector<std::string>> families;
    for (std::size_t column = 0; column < widths_.size(); ++column) {
      for (const std::string_view claim : matrix_.cell(row, column).broken_claims) {
        families[claim].push_back(family_name(matrix_.families[column]));
      }
    }
    std::string text;
    for (const auto& [claim, where] : families) {
      text += fmt::format("{}{} broken ({})", text.empty() ? "" : "; ", claim, fmt::join(where, ", "));
    }
    return text;
  }

  void add_row(std::size_t row, std::size_t first, std::size_t end) {
    std::string line = padded_right(matrix_.locks[row]->id, name_width_);
    for (std::size_t column = first; column < end; ++column) {
      const Cell& cell = matrix_.cell(row, column);
      const std::string runs = runs_text(cell);
      line += std::string(column_gap, ' ') +
              painted(to_text(cell.letter), color_of(cell.letter), terminal_.color) +
              painted(runs, Color::faint, terminal_.color) +
              std::string(widths_[column] - 1 - runs.size(), ' ');
    }
    if (const std::string claims = end == widths_.size() ? claims_text(row) : ""; !claims.empty()) {
      line += std::string(column_gap, ' ') + painted(claims, Color::faint, terminal_.color);
    }
    add(std::move(line));
  }

  static std::string_view group_of(const LockEntry& lock) {
    for (const LockFamily& family : lock_families()) {
      if (std::ranges::any_of(family.locks, [&](const LockEntry& each) { return each.id == lock.id; })) {
        return family.title;
      }
    }
    return "others";
  }

  const Matrix& matrix_;
  const Terminal& terminal_;
  std::size_t name_width_ = 4;
  std::vector<std::size_t> widths_;
  std::string result_;
};

}  // namespace

std::string matrix_text(const Matrix& matrix, const Terminal& terminal) {
  std::string legend = "\n";
  for (const Letter letter :
       {Letter::safe, Letter::stuck_bounded, Letter::undecided, Letter::always_error, Letter::stuck_for_ever,
        Letter::fenced, Letter::violated, Letter::not_applicable}) {
    legend += fmt::format("{}  {}\n", painted(to_text(letter), color_of(letter), terminal.color),
                          to_sentence(letter));
  }
  legend +=
      "Beside a letter: the number of runs behind it. The worst letter of all runs stands. At the end of a "
      "row:\nwhat the lock claims besides, and did not keep.\n";
  return MatrixPicture(matrix, terminal).text() + legend;
}

std::string loss_text(const Matrix& matrix, const Terminal& terminal) {
  std::string text = painted("What a holder is told that lost the lock", Color::bold, terminal.color) + "\n";
  for (std::size_t row = 0; row < matrix.locks.size(); ++row) {
    std::map<Loss, std::vector<std::string>, std::greater<>> families;
    for (std::size_t column = 0; column < matrix.families.size(); ++column) {
      families[matrix.cell(row, column).loss].push_back(family_name(matrix.families[column]));
    }
    families.erase(Loss::none);
    std::string line = fmt::format("  {}:", matrix.locks[row]->id);
    for (const auto& [loss, where] : families) {
      line += fmt::format(
          "{} {} ({})", line.ends_with(':') ? "" : ";",
          painted(to_text(loss), loss == Loss::never_told ? Color::red : Color::yellow, terminal.color),
          fmt::join(where, ", "));
    }
    text += line + (families.empty() ? " no hold was lost\n" : "\n");
  }
  return text +
         "before write: it learned of it by itself before it wrote again; at release: only there; never: not "
         "even "
         "there.\nThe worst of all runs of a cell counts.\n\n";
}

std::string disagreements_text(const Matrix& matrix, const std::vector<Disagreement>& list,
                               const Terminal& terminal) {
  if (list.empty()) {
    return "Nothing disagrees with the expected table.\n";
  }
  std::string result = painted(fmt::format("What disagrees with the expected table: {}", list.size()),
                               Color::bold, terminal.color) +
                       "\n";
  for (const Disagreement& each : list) {
    const Cell& cell = matrix.cell(each.row, each.column);
    const std::string command = command_for(matrix, each.row, each.column);
    result += fmt::format("  {} under {}: expected {}, got {}\n", matrix.locks[each.row]->id,
                          family_name(matrix.families[each.column]), to_text(each.expected),
                          painted(to_text(cell.letter), color_of(cell.letter), terminal.color));
    result += command.empty() ? fmt::format("    {}\n", why_not_applicable(matrix.families[each.column],
                                                                           *matrix.locks[each.row]))
                              : fmt::format("    {}\n", command);
  }
  return result;
}

std::string notes_text(const Matrix& matrix, const ExpectedTable& expected, bool in_full) {
  std::string corrected;
  std::string unexpected;
  std::size_t corrected_count = 0;
  std::size_t unexpected_count = 0;
  for (const LockEntry* lock : matrix.locks) {
    for (const Scenario& family : matrix.families) {
      const std::string name = family_name(family);
      const ExpectedCell* cell = expected.find(lock->id, name);
      if (cell == nullptr) {
        ++unexpected_count;
        unexpected += fmt::format("  {} under {}\n", lock->id, name);
      } else if (cell->reasoned && *cell->reasoned != cell->letter) {
        ++corrected_count;
        corrected +=
            fmt::format("  {} under {}: reasoned {}, is {}{}\n", lock->id, name, to_text(*cell->reasoned),
                        to_text(cell->letter), cell->note.empty() ? "" : ": " + printable(cell->note));
      }
    }
  }
  std::string result;
  if (corrected_count > 0) {
    result += fmt::format("Where reasoning was wrong before it was measured: {}{}\n", corrected_count,
                          in_full ? "" : " (--notes lists them)");
    result += in_full ? corrected : "";
  }
  if (unexpected_count > 0) {
    result += fmt::format("Cells of which nothing is expected: {}{}\n", unexpected_count,
                          in_full ? "" : " (--notes lists them)");
    result += in_full ? unexpected : "";
  }
  return result;
}

}  // namespace holdfast::cli
