// The story behind one cell of the matrix, as files of a report: its worst run, shrunk if it is not safe.
#pragma once

#include <optional>
#include <string>

#include "harness/matrix/matrix.h"
#include "harness/run/confirmation.h"

namespace holdfast::cli {

enum class CellConfirmation : std::uint8_t { not_asked, agrees, agrees_in_other_words, differs };

// What a real server said of the story of one cell.
struct CellAnswer {
  CellConfirmation confirmation = CellConfirmation::not_asked;
  std::string server;  // which one; empty: none was asked
};

// Writes stories/NAME.jsonl and stories/NAME.json into `directory`, and scenarios/NAME.json and
// scenarios/NAME.log of what was shrunk. `confirmer`: ask real servers about that, if any have a part in it.
CellAnswer write_cell_story(Simulation& simulation, const Matrix& matrix, std::size_t index,
                            const std::string& directory, Confirmer* confirmer);

// "redis-px-cad--pause"
std::string cell_story_name(const Matrix& matrix, std::size_t index);

}  // namespace holdfast::cli
