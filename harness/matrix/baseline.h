// A matrix compared with an earlier one, for continuous integration: what got worse fails, the rest is said.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/explore/shrink.h"
#include "harness/matrix/matrix.h"

namespace holdfast {

// Letters by lock and family.
using Baseline = std::map<std::pair<std::string, std::string>, Letter>;

// Whether a run was asked for this cell, be it there or not: a run of a few locks says nothing of the others.
using CellSelection = std::function<bool(std::string_view lock, std::string_view family)>;

struct EarlierMatrix {
  Baseline letters;
  std::string servers;  // the real ones that confirmed it, "redis-server 7.0.15"; empty: none were asked
};
// What `matrix --json` (or --update-baseline) wrote; a pipe can be read only once. Throws BadInput with one
// sentence.
EarlierMatrix read_baseline(const std::string& path);

// The baseline with the cells of a run in it.
struct UpdatedBaseline {
  std::string text;
  std::size_t kept = 0;  // cells that the run was not asked for
  std::size_t gone = 0;  // cells that it was asked for, of locks or families that are no more
};
// Of the baseline that stands there, else a new one. Throws as read_baseline does if it is none.
UpdatedBaseline updated_baseline(const std::string& path, const Matrix& matrix,
                                 const CellSelection& is_selected);

enum class ChangeKind : std::uint8_t { worse, appeared, better, gone };  // in the order they are told

struct Change {
  std::string lock;
  std::string family;            // "pause"
  std::string title;             // "GC pause"
  std::optional<Letter> before;  // none: the baseline has no such cell
  std::optional<Letter> now;     // none: there is no such lock or family any more
  std::string command;           // that shows the worst run, as the matrix found it
  std::string size;              // "2 clients, 1 fault, 7 steps", of the shrunk run
  std::string least;             // "gc-pause on c1 for 9.7s"
  std::string story;             // as a picture

  // "–" is neither better nor worse than a letter.
  ChangeKind kind() const;
  bool is_worse() const { return kind() == ChangeKind::worse; }
};

// Draws the run that a cell was shrunk to.
using DrawStory = std::function<std::string(const ShrunkFinding& finding, const LockEntry& lock)>;

// Cells whose letter is another now, new ones, and those that are gone. What got worse has its shrunk story,
// and what is new if it is worse than stuck for a while.
std::vector<Change> changes_since(const Matrix& matrix, const Baseline& baseline,
                                  const CellSelection& is_selected, const DrawStory& draw);

}  // namespace holdfast
