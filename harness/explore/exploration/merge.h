// Pieces that several machines made, put together.
#pragma once

#include <string>
#include <vector>

#include "harness/explore/exploration/exploration.h"

namespace holdfast {

// Only its name is kept until it is its turn: there can be many.
struct PieceFile {
  PieceName name;
  std::string path;
};

// Of all DIRECTORY/pieces, in the order of an exploration that was not made in parts. Throws BadInput if
// there are none.
std::vector<PieceFile> piece_files_in(const std::vector<std::string>& directories);

// Throws BadInput if they are not parts of one exploration, or of another version or scenario.
std::vector<ExploredTarget> put_together(const std::vector<PieceFile>& files, TargetShelf& shelf);

}  // namespace holdfast
