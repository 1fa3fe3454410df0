#include "harness/cli/matrix/matrix_why.h"

#include <fmt/format.h>

#include <memory>

#include "harness/cli/story/told_run.h"
#include "harness/explore/parallel.h"
#include "harness/explore/shrink_cell.h"
#include "harness/scenario/shelf/shelf.h"
#include "harness/text/shell_word.h"

namespace holdfast::cli {
namespace {

std::vector<WorstCell> find_worst_cells(const Matrix& matrix) {
  std::vector<WorstCell> worst;
  for (std::size_t row = 0; row < matrix.locks.size(); ++row) {
    std::size_t column = 0;
    for (std::size_t other = 1; other < matrix.families.size(); ++other) {
      column = matrix.cell(row, other).letter > matrix.cell(row, column).letter ? other : column;
    }
    if (matrix.cell(row, column).letter > Letter::safe) {
      worst.push_back({row, column, "", ""});
    }
  }
  return worst;
}

}  // namespace

std::vector<WorstCell> worst_cells(const Matrix& matrix, std::size_t jobs,
                                   const std::function<void(std::size_t done, std::size_t all)>& on_done) {
  std::vector<WorstCell> worst = find_worst_cells(matrix);
  const auto make_worker = [&]() -> ParallelWorker {
    const auto simulation = std::make_shared<Simulation>();
    return [&, simulation](std::size_t index) {
      WorstCell& each = worst[index];
      const auto shrunk = shrink_cell(*simulation, matrix.families[each.column], *matrix.locks[each.row],
                                      matrix.cell(each.row, each.column));
      if (shrunk) {
        each.size = shrunk->size_text();
        each.least = shrunk->least_text();
      }
    };
  };
  in_parallel(worst.size(), jobs, make_worker, [&](std::size_t done) { on_done(done, worst.size()); });
  return worst;
}

std::string worst_cells_text(const Matrix& matrix, const std::vector<WorstCell>& worst,
                             const std::optional<std::string>& scenarios, const Terminal& terminal) {
  if (worst.empty()) {
    return "No lock is worse than safe anywhere.\n\n";
  }
  std::string text = painted("The worst cell of each lock, and why", Color::bold, terminal.color) + "\n";
  for (const WorstCell& each : worst) {
    const Letter letter = matrix.cell(each.row, each.column).letter;
    text += fmt::format("  {} under {}: {}, {}\n", matrix.locks[each.row]->id,
                        family_name(matrix.families[each.column]),
                        painted(to_text(letter), color_of(letter), terminal.color),
                        sentence_of(letter, matrix.cell(each.row, each.column).shows_its_letter));
    if (!each.size.empty()) {
      text += fmt::format("    {}: {}\n", each.size, each.least);
    }
    text += fmt::format("    found as: {}{}\n", command_for(matrix, each.row, each.column),
                        scenarios ? " --scenarios " + shell_word(*scenarios) : "");
  }
  return text + "\n";
}

}  // namespace holdfast::cli
