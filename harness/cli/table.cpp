#include "harness/cli/table.h"

#include <algorithm>
#include <sstream>

#include "harness/cli/text_width.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t gap = 2;  // columns between two columns
constexpr std::size_t least_last_width = 20;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string joined(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                   std::size_t last_width) {
  std::string line;
  for (std::size_t column = 0; column < cells.size(); ++column) {
    const bool last = column + 1 == cells.size();
    line += last ? shortened(cells[column], last_width) : padded_right(cells[column], widths[column] + gap);
  }
  return without_trailing_spaces(std::move(line));
}

}  // namespace

std::vector<std::size_t> Table::column_widths() const {
  std::vector<std::size_t> widths(titles_.size(), 0);
  for (std::size_t column = 0; column < titles_.size(); ++column) {
    for (const std::string& line : lines_of(titles_[column])) {
      widths[column] = std::max(widths[column], display_width(line));
    }
  }
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size() && !is_heading(row); ++column) {
      widths[column] = std::max(widths[column], display_width(row[column]));
    }
  }
  return widths;
}

std::string Table::text(const Terminal& terminal) const {
  const std::vector<std::size_t> widths = column_widths();
  std::size_t before_last = 0;
  for (std::size_t column = 0; column + 1 < widths.size(); ++column) {
    before_last += widths[column] + gap;
  }
  const std::size_t last_width =
      std::max(least_last_width, terminal.width > before_last ? terminal.width - before_last : 0);

  std::size_t title_lines = 1;
  for (const std::string& title : titles_) {
    title_lines = std::max(title_lines, lines_of(title).size());
  }
  std::string result;
  for (std::size_t line = 0; line < title_lines; ++line) {
    std::vector<std::string> cells;
    for (const std::string& title : titles_) {
      const std::vector<std::string> lines = lines_of(title);
      const std::size_t skipped = title_lines - lines.size();  // titles stand on the bottom line
      cells.push_back(line >= skipped ? lines[line - skipped] : "");
    }
    result += painted(joined(cells, widths, last_width), Color::bold, terminal.color) + "\n";
  }
  for (const auto& row : rows_) {
    result += is_heading(row) ? painted(row.front(), Color::faint, terminal.color)
                              : joined(row, widths, last_width);
    result += '\n';
  }
  return result;
}

}  // namespace holdfast::cli
