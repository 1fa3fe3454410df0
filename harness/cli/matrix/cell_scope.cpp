#include "harness/cli/matrix/cell_scope.h"

#include <fmt/format.h>

#include "faults/catalog.h"
#include "harness/cli/terminal/table.h"
#include "harness/matrix/cell_limits.h"
#include "harness/scenario/file/option_text.h"
#include "harness/scenario/shelf/shelf.h"
#include "harness/workload/shapes.h"

namespace holdfast::cli {
namespace {

std::string faults_text(const Scenario& family) {
  std::string text;
  for (const FaultSpec& fault : family.sweep) {
    text += fmt::format("{}{} on {}", text.empty() ? "" : ", ", fault.fault, fault.on);
    for (const Option& option : options_of(fault)) {
      if (!fault.options.is_usual(option)) {
        text += fmt::format(" {} {}", option.name, value_text(fault.options.value(option)));
      }
    }
    if (fault.lasts) {
      text += " for " + value_text(OptionValue(*fault.lasts));
    }
  }
  return text.empty() ? "none" : text;
}

std::string scope_table(const Cell& cell, const Terminal& terminal) {
  Table table({"shape", "runs", "seeds", "places", "left out", "what clients do"});
  for (const ShapeScope& scope : cell.shapes) {
    table.add_row({std::string(scope.shape), std::to_string(scope.runs), std::to_string(scope.seeds),
                   std::to_string(scope.placements), std::to_string(scope.repetitions),
                   std::string(find_shape(scope.shape)->sentence)});
  }
  return table.text(terminal);
}

}  // namespace

std::string scopes_text(const Matrix& matrix, const Terminal& terminal) {
  std::string text;
  for (std::size_t row = 0; row < matrix.locks.size(); ++row) {
    for (std::size_t column = 0; column < matrix.families.size(); ++column) {
      const Cell& cell = matrix.cell(row, column);
      if (cell.runs == 0) {
        continue;
      }
      const Scenario& family = matrix.families[column];
      text += painted(fmt::format("What the {} of {} under {} rests on: {} runs", to_text(cell.letter),
                                  matrix.locks[row]->id, family_name(family), cell.runs),
                      Color::bold, terminal.color) +
              "\n" + scope_table(cell, terminal) + fmt::format("Faults: {}\n", faults_text(family)) +
              "Not tried:\n";
      for (const std::string& limit : limits_of(cell, family, matrix.depth)) {
        text += fmt::format("  {}\n", limit);
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace holdfast::cli
