// A matrix compared with an earlier one, for continuous integration: what got worse fails, what got better is
// said.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/matrix.h"

namespace holdfast::cli {

// Letters by lock and family.
using Baseline = std::map<std::pair<std::string, std::string>, Letter>;

// What `matrix --json` (or --update-baseline) wrote. Throws BadInput with one sentence.
Baseline read_baseline(const std::string& path);

struct Change {
  std::size_t row = 0;
  std::size_t column = 0;
  std::optional<Letter> before;  // none: the cell is new
  Letter now = Letter::not_applicable;
  std::string size;   // "2 clients, 1 fault, 7 steps", of what got worse
  std::string least;  // "gc-pause on c1 for 9.7s"
  std::string story;  // as a picture

  bool is_worse() const { return before && now > *before; }
  bool is_better() const { return before && now < *before; }
};

// Cells whose letter is another now, and new ones that are not safe. What got worse has its shrunk story.
std::vector<Change> changes_since(const Matrix& matrix, const Baseline& baseline);

std::string changes_text(const Matrix& matrix, const std::vector<Change>& changes, const Terminal& terminal);
// A table for a pull request.
std::string changes_markdown(const Matrix& matrix, const std::vector<Change>& changes);
// A test case for each cell; those that got worse failed.
std::string junit_xml(const Matrix& matrix, const std::vector<Change>& changes, double seconds);

}  // namespace holdfast::cli
