// A table of aligned columns for the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/terminal/terminal.h"

namespace holdfast::cli {

class Table {
 public:
  // Column titles. A title may have several lines, parted by '\n'.
  explicit Table(std::vector<std::string> titles) : titles_(std::move(titles)) {}

  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // A line of its own between rows, to part groups.
  void add_heading(std::string_view text) { rows_.push_back({std::string(text)}); }

  // A row is one line. Only on a terminal that is too narrow the last column is wrapped, or, if there is
  // hardly any room beside the others, put below the row.
  std::string text(const Terminal& terminal) const;

 private:
  bool is_heading(const std::vector<std::string>& row) const { return row.size() < titles_.size(); }
  std::vector<std::size_t> column_widths() const;

  std::vector<std::string> titles_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace holdfast::cli
